import { expect } from 'chai'
import { reasonInWords } from '../../../../lib/engines/failure/failure-reason.ts'

const words = (text: string, names: readonly string[] = []) => reasonInWords({ kind: 'status 500', text }, false, names)

describe('the reason of a failure', () => {
  it('has the words of the backend that are words of errors', () => {
    const said: readonly (readonly [string, string])[] = [
      ['Not Found', 'Not Found'],
      ['The model `nope` does not exist.', 'The model `nope` does not exist.'],
      ['Invalid API key', 'Invalid API key'],
      [
        'EngineCore encountered an issue. See stack trace (above) for the root cause.',
        'EngineCore encountered an issue. See stack trace (above) for the root cause.',
      ],
      [
        'CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.10 GiB',
        'CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.10 GiB',
      ],
      [
        'upstream connect error or disconnect/reset before headers. reset reason: connection timeout',
        'upstream connect error or disconnect/reset before headers. reset reason: connection timeout',
      ],
      ['<html><head><title>502 Bad Gateway</title></head></html>', '502 Bad Gateway'],
    ]
    for (const [text, shown] of said) expect(words(text, ['nope'])).equal(`status 500: ${shown}`)
  })

  it('has nothing of a prompt, in any form of quoting', () => {
    const secrets = ['Margarete', 'leukaemia', '4111', '1111', 'sk-live-51', 'hunter2', 'diagnosed', 'alice']
    const prompt =
      'Margarete was diagnosed with leukaemia, card 4111 1111 1111 1111, key sk-live-51, alice@acme.test hunter2'
    const texts = [
      prompt,
      `Invalid prompt: ${prompt}`,
      `Could not process '${prompt}' in the request`,
      `Could not process "${prompt} in the request`,
      `1 validation error for ChatCompletionRequest messages.0.content ${prompt}`,
      `Jinja Exception: Unexpected message ${prompt}`,
      `failed {"messages": [{"content": "${prompt}"}]}`,
      `prompt=${prompt}`,
      `error\n${prompt.split(' ').join('\n')}`,
      `error ${prompt.split(' ').join(' the ')}`,
      `Incorrect API key provided: sk-live-51. Ask alice`,
      `<p>${prompt}</p>`,
      `Tokens: ${prompt.split('').join(' ')}`,
      `${prompt} `.repeat(50),
      Buffer.from(prompt).toString('base64'),
      encodeURIComponent(prompt),
    ]
    for (const text of texts) {
      const shown = words(text)
      for (const secret of secrets) expect(shown, text).not.include(secret)
      expect(shown.length).most(300)
    }
  })

  it('drops single words of errors between removed text', () => {
    expect(words('Request failed because Hans is not my friend')).equal('status 500: Request failed because …')
  })

  it('keeps only numbers next to a unit', () => {
    expect(words('maximum context length is 8192 tokens. pin 4321 for door')).include('8192 tokens').not.include('4321')
  })

  it('is the kind alone with zero data retention, or without a text', () => {
    expect(reasonInWords({ kind: 'status 404', text: 'The model does not exist.' }, true, [])).equal('status 404')
    expect(reasonInWords({ kind: 'no connection could be opened (ECONNREFUSED)' }, false, [])).equal(
      'no connection could be opened (ECONNREFUSED)',
    )
    expect(words('Margarete')).equal('status 500')
  })

  it('has at most 300 characters, and takes little time for a long text', () => {
    expect(words('the model does not exist. '.repeat(500)).length).most(300)
    expect(words('<'.repeat(100_000))).equal('status 500')
  })
})
