/// The field that a query gives to a property of its projection.
struct GivenField: Sendable {
  /// The term that stands for the property until the query gives a field.
  let placeholder: Term
  let term: Term
}

extension SelectStatement {
  /// Replaces a property's placeholder by the field that the query gives.
  mutating func fill(_ field: GivenField) {
    columns = columns.map { $0.filled(field) }
    condition = condition?.filled(field)
    orderings = orderings.map { Ordering(term: $0.term.filled(field), isDescending: $0.isDescending, nulls: $0.nulls) }
    groups = groups.map { $0.filled(field) }
    groupCondition = groupCondition?.filled(field)
  }
}

extension Term {
  fileprivate func filled(_ field: GivenField) -> Term {
    replacing(field).limitedInDepth
  }

  private func replacing(_ field: GivenField) -> Term {
    self == field.placeholder ? field.term : mapParts { $0.replacing(field) }
  }
}

extension StoredProjection {
  /// Declares a property whose field is given by each query, because the field depends on a value of that query: the
  /// month that a screen shows, today, the user who is logged in.
  ///
  /// ```swift
  /// @Projection(of: Category.self)
  /// struct CategoryMonth {
  ///   var id: Int64
  ///   var name: String
  ///   var spent: Int
  ///   static let spent = given(Int.self)
  /// }
  ///
  /// let rows = CategoryMonth.given(\.spent) { category in
  ///   category.entries.filter { $0.day.isIn(month) }.sum(\.cents)
  /// }
  /// ```
  ///
  /// The property is a field of the query like any other: `rows.order { $0.spent.descending }`. A query that does not
  /// give the field throws ``StoreError/invalidQuery(_:)`` when it runs, and so does a projection of another record that
  /// contains this projection with ``nested(_:_:)->SelectedFields<Part>``.
  ///
  /// - Parameter type: The type of the property.
  public static func given<Value: ColumnValue>(
    _ type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Field<Value> {
    given(as: type, file: file, line: line, column: column)
  }

  /// Declares a property whose field is given by each query, with a coding of the app.
  ///
  /// ```swift
  /// static let spent = given(as: Cents.self)
  /// ```
  public static func given<Coding: ColumnCoding>(
    as coding: Coding.Type, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
  ) -> Field<Coding.Value> {
    Field(
      .invalid(
        "it gives no field to the property of \(Self.self) declared at \(file):\(line):\(column): write .given(\\.property) { … }"
      ),
      as: coding)
  }

  /// All rows, with a field for a property that the projection declares with
  /// ``given(_:file:line:column:)``. See ``Selection/given(_:_:)``.
  public static func given<Value>(
    _ property: KeyPath<Fields, Field<Value>>, _ field: (Source.Fields) -> Field<Value>
  ) -> Selection<Self, Self> {
    query.given(property, field)
  }
}

extension Selection where Output: StoredProjection, Output.Source == Root.Source {
  /// Gives a field to a property that the projection declares with
  /// ``StoredProjection/given(_:file:line:column:)``.
  ///
  /// ```swift
  /// Category.select(CategoryMonth.self).order { $0.spent.descending }.given(\.spent) { category in
  ///   category.entries.filter { $0.day.isIn(month) }.sum(\.cents)
  /// }
  /// ```
  ///
  /// The projection is selected first. The field may be given before or after the conditions and the order of the query. Two queries with different fields
  /// are different queries. A second field for the same property has no effect.
  ///
  /// - Parameters:
  ///   - property: The property. For any other property, and for a field in another stored form than the declared form,
  ///     the query throws ``StoreError/invalidQuery(_:)`` when it runs.
  ///   - field: Returns the field for the record's fields.
  public func given<Value>(
    _ property: KeyPath<Output.Fields, Field<Value>>, _ field: (Root.Source.Fields) -> Field<Value>
  ) -> Selection {
    let declared = Output.fields[keyPath: property]
    let given = Nesting.atRoot { field(Root.Source.fields) }
    guard case .invalid = declared.term else {
      return updating { $0.refuse(because: "given(_:_:) is for properties that the projection declares with 'given'") }
    }
    let isSame = ColumnForm(declared.coding) == ColumnForm(given.coding)
    let reason =
      "the given field has the coding \(given.coding), and the projection declares \(declared.coding): write 'given(as: \(given.coding).self)'"
    var result = self
    result.givenFields.append(
      GivenField(placeholder: declared.term, term: isSame ? given.term : .invalid(reason)))
    return result.updating { _ in }
  }
}
