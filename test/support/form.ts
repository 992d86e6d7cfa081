/** Forms that a test server reads like an exchange. */
import http, { type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { discardBody, isUnread } from '../../lib/body/discard.ts'
import { fieldTypes, Upload } from '../../lib/body/index.ts'
import { bodyValidator } from '../../lib/schemas/body-validator.ts'
import { readSchema } from '../../lib/schemas/read.ts'

export interface FormServer {
  readonly url: string
  /** Results of the uploads in order: the form, or the refusal. */
  readonly read: (Upload | Error)[]
  close(): void
}

/** Each upload is answered when `then` has resolved. */
export async function formServer(
  limits: { limit: number; bufferBytes: number },
  then: (upload: Upload) => Promise<unknown>,
): Promise<FormServer> {
  const rules = {
    types: fieldTypes(readSchema('bodies/transcriptions')),
    check: bodyValidator('transcriptions'),
    ...limits,
  }
  const read: (Upload | Error)[] = []
  const server: Server = http.createServer(async (req, res) => {
    const source = { req, res, headers: req.headers, bodyBytes: 0, gone: false }
    const upload = await Upload.read(source, rules).catch((thrown: Error) => thrown)
    read.push(upload)
    if (upload instanceof Upload) await then(upload)
    res.writeHead(200, { 'content-length': 2 }).write('ok')
    if (isUnread(req)) discardBody(req, () => res.end())
    else res.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    read,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
