// swift-format-ignore-file
// The records of LinkedMade.sqlite, made by `sanderling records`.
import Foundation
import Sanderling

enum LinkedMade {
  @Record("categories")
  struct Category {
    var id: Int64?
    @References(Category.self) @Stored("parent") var parentID: Int64?
    var title: String
    static let parent = belongsTo(Category.self, by: \.parentID)
    static let children = hasMany(Category.self, by: \.parentID)
    static let products = hasMany(Product.self, by: \.categoryID)
  }

  @Record("currencies")
  struct Currency {
    @PrimaryKey var code: String
    static let orders = hasMany(Order.self, by: \.currencyCode)
  }

  @Record("friendships")
  struct Friendship {
    @PrimaryKey @References(User.self) @Stored("user_id") var userID: Int64
    @PrimaryKey @References(User.self) @Stored("friend_id") var friendID: Int64
    static let user = belongsTo(User.self, by: \.userID)
    static let friend = belongsTo(User.self, by: \.friendID)
  }

  // Only read: the table has no key, so the rowid identifies the rows.
  @Record(view: "log")
  struct Log {
    @PrimaryKey @Stored("rowid") var rowID: Int64
    var line: String?
    @Stored("user_id") var userID: Int64?
    static let user = belongsTo(User.self, by: \.userID)
  }

  @Record("messages")
  struct Message {
    var id: Int64?
    @References(User.self) @Stored("sender_id") var senderID: Int64
    @References(User.self) @Stored("recipient_id") var recipientID: Int64?
    @References(Message.self) @Stored("reply_to") var replyToID: Int64?
    var sender: String?
    // It references users(email), which @References can't declare.
    @Stored("author_email") var authorEmail: String?
    static let senderUser = belongsTo(User.self, by: \.senderID)
    static let recipient = belongsTo(User.self, by: \.recipientID)
    static let replyTo = belongsTo(Message.self, by: \.replyToID)
    static let messagesAsReplyTo = hasMany(Message.self, by: \.replyToID)
  }

  @Record("order_items")
  struct OrderItem {
    @PrimaryKey var number: Int
    @PrimaryKey @References(Order.self, onDelete: .cascade) @Stored("order_id") var orderID: Int64
    @References(Product.self) @Stored("product_id") var productID: Int64?
    static let order = belongsTo(Order.self, by: \.orderID)
    static let product = belongsTo(Product.self, by: \.productID)
    static let shipments = hasMany(Shipment.self, by: \.itemNumber, \.orderID)
  }

  @Record("orders")
  struct Order {
    var id: Int64?
    @References(User.self) @Stored("userid") var userID: Int64
    @References(Currency.self) @Stored("currency") var currencyCode: String
    static let user = belongsTo(User.self, by: \.userID)
    static let currency = belongsTo(Currency.self, by: \.currencyCode)
    static let orderItems = hasMany(OrderItem.self, by: \.orderID)
  }

  @Record("products")
  struct Product {
    var id: Int64?
    @References(Category.self) @Stored("category") var categoryID: Int64?
    var tags: String?
    static let category = belongsTo(Category.self, by: \.categoryID)
    static let orderItems = hasMany(OrderItem.self, by: \.productID)
    static let productTags = hasMany(ProductTag.self, by: \.productID)
    static let tagsThroughProductTags = hasMany(Tag.self, through: productTags, using: ProductTag.tag)
  }

  @Record("products_tags")
  struct ProductTag {
    @PrimaryKey @References(Product.self) @Stored("product_id") var productID: Int64
    @PrimaryKey @References(Tag.self) @Stored("tag") var tagTitle: String
    static let product = belongsTo(Product.self, by: \.productID)
    static let tag = belongsTo(Tag.self, by: \.tagTitle)
  }

  @Record("profiles")
  struct Profile {
    @PrimaryKey @References(User.self) @Stored("user_id") var userID: Int64?
    var bio: String?
    static let user = belongsTo(User.self, by: \.userID)
  }

  @Record("shipments")
  struct Shipment {
    var id: String
    @Stored("order_id") var orderID: Int64
    @Stored("item_number") var itemNumber: Int?
    static let item = belongsTo(OrderItem.self, by: \.itemNumber, \.orderID)
  }

  @Record("tags")
  struct Tag {
    @PrimaryKey var title: String
    static let productTags = hasMany(ProductTag.self, by: \.tagTitle)
    static let products = hasMany(Product.self, through: productTags, using: ProductTag.product)
  }

  @Record("users", indexes: [.unique(on: \.email)])
  struct User {
    var id: Int64?
    var name: String
    var email: String
    @References(User.self, onDelete: .setNull) @Stored("manager_id") var managerID: Int64?
    static let manager = belongsTo(User.self, by: \.managerID)
    static let friendships = hasMany(Friendship.self, by: \.userID)
    static let friendshipsAsFriend = hasMany(Friendship.self, by: \.friendID)
    static let logs = hasMany(Log.self, by: \.userID)
    static let messagesAsSender = hasMany(Message.self, by: \.senderID)
    static let messagesAsRecipient = hasMany(Message.self, by: \.recipientID)
    static let orders = hasMany(Order.self, by: \.userID)
    static let profiles = hasMany(Profile.self, by: \.userID)
    static let usersAsManager = hasMany(User.self, by: \.managerID)
    static let friends = hasMany(User.self, through: friendships, using: Friendship.friend)
    static let users = hasMany(User.self, through: friendshipsAsFriend, using: Friendship.user)
  }

  static let schema: [any StoredRecord.Type] = [Category.self, Currency.self, Friendship.self, Log.self, Message.self, OrderItem.self, Order.self, Product.self, ProductTag.self, Profile.self, Shipment.self, Tag.self, User.self]
}
