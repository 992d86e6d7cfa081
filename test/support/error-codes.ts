/** The error codes of the gateway with all built-in plugins. */
import { ERRORS, type ErrorTable } from '../../lib/errors/errors.ts'
import { builtInNames, loadPlugin } from '../../lib/process/plugin-loader.ts'

export async function allErrors(): Promise<ErrorTable> {
  const plugins = await Promise.all(builtInNames().map(name => loadPlugin(name, '')))
  return Object.assign({}, ERRORS, ...plugins.map(({ errors }) => errors?.table))
}
