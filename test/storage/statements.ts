/** The statements of a migration, one by one; a trigger is one. Migrations have no semicolon in a text. */
export function splitStatements(sql: string): readonly string[] {
  return sql
    .replaceAll(/--.*$/gm, '')
    .split(/;(?=\s*(?:$|[A-Z]+ (?:UNIQUE )?(?:TABLE|INDEX|TRIGGER)\b))/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
    .map((statement) => `${statement};`);
}
