/** What parseArgs returns; null where it refuses the arguments, which is then said in one line on stderr. */
export function readArguments<T>(parse: () => T): T | null {
  try {
    return parse()
  } catch (refusal) {
    process.stderr.write(`${(refusal as Error).message}\n`)
    return null
  }
}
