/** The attempts of a request, as JSON text. */
export function attemptList(): string[] {
  return ['requests', 'request_errors'].map(table => `alter table ${table} add column attempt_list text`)
}
