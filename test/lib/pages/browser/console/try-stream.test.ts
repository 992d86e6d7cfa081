import { expect } from 'chai'

const MODULE = new URL('../../../../../lib/pages/browser/console/try-stream.js', import.meta.url)

interface Read {
  readonly usage: object | null
  readonly finish: string | null
}
interface Module {
  readAnswer(
    response: Response,
    on: { readonly onText: (text: string) => void; readonly onReasoning: (text: string) => void },
  ): Promise<Read>
}

const delta = (more: object) => ({ choices: [{ index: 0, delta: more }] })

describe('streams of the page Try it', () => {
  let browser: Module
  before(async () => {
    browser = (await import(MODULE.href)) as Module
  })

  async function read(response: Response) {
    const seen = { text: '', reasoning: '' }
    const on = {
      onText(text: string) {
        seen.text += text
      },
      onReasoning(text: string) {
        seen.reasoning += text
      },
    }
    try {
      return { ...seen, ...(await browser.readAnswer(response, on)), ...seen, problem: undefined }
    } catch (thrown) {
      return { ...seen, problem: thrown as Error & { readonly code?: string; readonly page?: string } }
    }
  }
  const events = (list: readonly unknown[], end = 'data: [DONE]\n\n') =>
    list.map(event => `data: ${JSON.stringify(event)}\n\n`).join('') + end

  /** The bytes in pieces, which end inside of lines and characters. */
  const inPieces = (text: string) => {
    const bytes = new TextEncoder().encode(text)
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(i * 7, i * 7 + 7))
    return new Response(ReadableStream.from(pieces) as ReadableStream<Uint8Array>)
  }

  it('have text, reasoning, tokens and the finish reason', async () => {
    const usage = { prompt_tokens: 17, completion_tokens: 60, prompt_tokens_details: { cached_tokens: 16 } }
    const list = [
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'Hm, ' }),
      delta({ reasoning_content: 'ü.' }),
      delta({ content: 'Hällo ' }),
      { choices: [{ index: 0, delta: { content: 'there' }, finish_reason: 'length' }] },
      { choices: [], usage },
    ]
    expect(await read(inPieces(`: ping\n\n${events(list)}`))).deep.equal({
      ...{ text: 'Hällo there', reasoning: 'Hm, ü.', finish: 'length', problem: undefined },
      usage: { input: 17, cachedInput: 16, output: 60, reasoning: 0 },
    })
    expect(await read(inPieces(events([delta({ content: 'x' })])))).include({ text: 'x', usage: null, finish: null })
  })

  it('end with the error of the stream, or of the reply', async () => {
    const error = { message: 'No.', code: 'backend_timeout', docs_url: 'http://x/docs/errors/backend_timeout' }
    const { text, problem } = await read(inPieces(events([delta({ content: 'x' }), { error }], '')))
    expect(text).equal('x')
    expect(problem).include({ message: 'No.', code: 'backend_timeout', page: error.docs_url })
    const refused = await read(Response.json({ error }, { status: 504 }))
    expect(refused.problem).include({ message: 'No.', code: 'backend_timeout' })
  })

  it('that break are never complete', async () => {
    for (const response of [inPieces(events([delta({ content: 'x' })], '')), new Response('<html>', { status: 502 })])
      expect((await read(response)).problem?.message).equal('The connection broke: ask again.')
  })
})
