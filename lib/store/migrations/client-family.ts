/** The family of the client that sent a request. */
export function clientFamily(): string[] {
  return ['requests', 'request_errors'].map(table => `alter table ${table} add column client text`)
}
