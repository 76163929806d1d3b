extension DatabaseSchema {
  /// The possible meanings of names in statements.
  var description: SchemaDescription {
    let tables = tables.map { table in
      SchemaDescription.Table(
        name: table.name,
        columns: table.columns.map {
          SchemaDescription.Column(
            name: $0.name, declaredType: $0.type, collation: $0.collation,
            isRowidAlias: $0.name == table.rowIDAlias)
        }, hasRowid: !table.isWithoutRowID)
    }
    let views = views.map { view in
      SchemaDescription.Table(
        name: view.name, columns: view.columns.map { SchemaDescription.Column(name: $0) }, hasRowid: false,
        viewSQL: view.sql)
    }
    return SchemaDescription(tables: tables + views)
  }
}
