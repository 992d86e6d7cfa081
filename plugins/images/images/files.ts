import { fail, type Services } from '../../../lib/plugin.ts'
import { type ByteBudget, chargeFor } from '../fetch.ts'

/** An uploaded image as a data: URL. The error is the same for another owner's file and for one that does not exist. */
export async function loadFile(
  files: Services['files'],
  owner: string,
  id: string,
  budget: ByteBudget,
  param: string,
): Promise<string> {
  const file = (await files.find(owner, id)) ?? refuse('There is no file with this file_id.', param)
  budget.bytes -= file.bytes
  if (budget.bytes < 0) refuse('The images of the request are too large, all together.', param)
  chargeFor(budget, file.bytes)
  const content = (await files.content(owner, file)) ?? refuse('There is no file with this file_id.', param)
  return `data:${file.type};base64,${content.toString('base64')}`
}

function refuse(problem: string, param: string): never {
  fail('model_request_rejected', { problem }, { param })
}
