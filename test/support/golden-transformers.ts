/**
 * Golden files for transformers: one mocha test per file.
 *
 *   goldenTransformer('whole-tool-calls', () => ({ transformer: transformer(1000, 'model-1') }))
 */
import { expect } from 'chai'
import type { Transformer } from '../../lib/canonical/reply.ts'
import type { ChatRequest } from '../../lib/canonical/request.ts'
import { playReply } from './backend-wire.ts'
import { chatRequest, Recorder } from './canonical.ts'
import { bytesOf, SLICES, withoutMadeUpIds } from './golden.ts'
import { goldenFiles, indented } from './golden-file.ts'

/** A transformer for one replay. */
export interface Played {
  readonly transformer: Transformer
  /** Values that the transformer has recorded in addition to chunks. Read at the end of the reply. */
  readonly noted?: () => unknown
}

/**
 * test/golden/transformers/<folder>/*.sse, sections:
 *   request   members of the canonical request that differ from a plain streamed chat (optional)
 *   backend   the bytes of the backend, with the words of test/golden/streams
 *   chunks    the chunks that the transformer passes on, one per line, without undefined members, then `end` or `fail`
 *             with the code of the error
 *   noted     the values that the transformer has recorded, as indented JSON (optional)
 * The last two are written by UPDATE_GOLDEN=1.
 */
export function goldenTransformer(folder: string, start: () => Played): void {
  for (const file of goldenFiles(`transformers/${folder}`, '.sse')) {
    it(`stream: ${file.name}`, () => {
      const request = chatRequest({ stream: true, ...file.json<Partial<ChatRequest>>('request', {}) })
      const backend = file.get('backend')
      const outputs = SLICES.map(slice => {
        const { transformer, noted } = start()
        const last = new Recorder()
        transformer.next = last
        playReply(transformer, { request, bytes: bytesOf(backend), json: backend.words.includes('json'), slice })
        return { chunks: withoutMadeUpIds(linesOf(last)), noted: noted === undefined ? undefined : indented(noted()) }
      })
      const [first] = outputs
      for (const [index, output] of outputs.entries()) {
        expect(output, `in slices of ${SLICES[index]} bytes`).eql(first)
      }
      file.expect(first?.chunks ?? '', 'chunks')
      if (first?.noted !== undefined) file.expect(first.noted, 'noted')
    })
  }
}

function linesOf({ chunks, ended, errors }: Recorder): string {
  const lines = chunks.map(chunk => JSON.stringify(chunk))
  for (let i = 0; i < ended; i++) lines.push('end')
  for (const { code } of errors) lines.push(`fail ${code}`)
  return lines.map(line => `${line}\n`).join('')
}
