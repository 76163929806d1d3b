#if canImport(Glibc) && (arch(x86_64) || arch(arm64))
  import Glibc

  /// The functions of libcurl, which FoundationNetworking has loaded already.
  ///
  /// They are found by name, so neither a header nor a development package of libcurl is needed. Pointers are passed as
  /// integers, so that they are Sendable. The variadic functions get one argument in a register, which is how these
  /// processors pass it to any function.
  struct CurlFunctions: Sendable {
    typealias Option = @convention(c) @Sendable (_ handle: Int, _ option: Int32, _ value: Int) -> Int32
    typealias Perform = @convention(c) @Sendable (_ multi: Int, _ running: UnsafeMutablePointer<Int32>) -> Int32
    typealias Poll =
      @convention(c) @Sendable (_ multi: Int, _ others: Int, _ count: UInt32, _ milliseconds: Int32, _ ready: Int) ->
      Int32
    typealias ReadMessage =
      @convention(c) @Sendable (_ multi: Int, _ left: UnsafeMutablePointer<Int32>) -> UnsafeRawPointer?
    typealias Append = @convention(c) @Sendable (_ list: Int, _ text: UnsafePointer<CChar>) -> Int
    typealias Make = @convention(c) @Sendable () -> Int
    typealias Use = @convention(c) @Sendable (_ pointer: Int) -> Int32
    typealias Discard = @convention(c) @Sendable (_ pointer: Int) -> Void
    typealias UseBoth = @convention(c) @Sendable (_ multi: Int, _ handle: Int) -> Int32

    let initialize: Use
    let makeHandle: Make
    let setOption: Option
    let discardHandle: Discard
    let append: Append
    let discardList: Discard
    let makeMulti: Make
    let add: UseBoth
    let remove: UseBoth
    let perform: Perform
    let poll: Poll
    let wakeUp: Use
    let readMessage: ReadMessage

    /// - Returns: Nil if libcurl 7.68 or newer can't be loaded, for example in a statically linked program.
    init?() {
      guard let library = dlopen("libcurl.so.4", RTLD_NOW) ?? dlopen("libcurl-gnutls.so.4", RTLD_NOW) else {
        return nil
      }
      func find<Function>(_ name: String, as type: Function.Type) -> Function? {
        // The types above match libcurl's C declarations on these processors, and the library is never unloaded.
        dlsym(library, name).map { unsafeBitCast($0, to: type) }
      }
      guard let initialize = find("curl_global_init", as: Use.self),
        let makeHandle = find("curl_easy_init", as: Make.self),
        let setOption = find("curl_easy_setopt", as: Option.self),
        let discardHandle = find("curl_easy_cleanup", as: Discard.self),
        let append = find("curl_slist_append", as: Append.self),
        let discardList = find("curl_slist_free_all", as: Discard.self),
        let makeMulti = find("curl_multi_init", as: Make.self),
        let add = find("curl_multi_add_handle", as: UseBoth.self),
        let remove = find("curl_multi_remove_handle", as: UseBoth.self),
        let perform = find("curl_multi_perform", as: Perform.self),
        let poll = find("curl_multi_poll", as: Poll.self),
        let wakeUp = find("curl_multi_wakeup", as: Use.self),
        let readMessage = find("curl_multi_info_read", as: ReadMessage.self)
      else { return nil }
      self.initialize = initialize
      self.makeHandle = makeHandle
      self.setOption = setOption
      self.discardHandle = discardHandle
      self.append = append
      self.discardList = discardList
      self.makeMulti = makeMulti
      self.add = add
      self.remove = remove
      self.perform = perform
      self.poll = poll
      self.wakeUp = wakeUp
      self.readMessage = readMessage
    }
  }

  /// The numbers of libcurl's options, which never change.
  enum CurlOption {
    static let url: Int32 = 10_002
    static let writeFunction: Int32 = 20_011
    static let writeData: Int32 = 10_001
    static let headerFunction: Int32 = 20_079
    static let headerData: Int32 = 10_029
    static let progressFunction: Int32 = 20_219
    static let progressData: Int32 = 10_057
    static let hasNoProgress: Int32 = 43
    static let headers: Int32 = 10_023
    static let method: Int32 = 10_036
    static let hasNoBody: Int32 = 44
    static let bodySize: Int32 = 60
    static let copiedBody: Int32 = 10_165
    static let encodings: Int32 = 10_102
    static let hasNoSignal: Int32 = 99
    static let protocols: Int32 = 181
    static let hidesProxyHeaders: Int32 = 265
  }
#endif
