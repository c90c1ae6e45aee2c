/** The statements of a migration, one by one. Migrations have no triggers and no semicolon in a text. */
export function splitStatements(sql: string): readonly string[] {
  return sql
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
    .map((statement) => `${statement};`);
}
