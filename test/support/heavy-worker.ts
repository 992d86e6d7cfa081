/** A thread of heavy.ts: a backend or a client outside the thread of the gateway. */
import { createHash } from 'node:crypto'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import type { CrowdOrder, HeavyBody, StreamOrder, UploadOrder } from './heavy.ts'

const port = parentPort!
const { role } = workerData as { role: 'backend' | 'pacer' | 'trickler' | 'flooder' | 'client' }

if (role === 'client') port.on('message', (order: UploadOrder | StreamOrder | CrowdOrder) => void obey(order))
else serve({ backend: digest, pacer: pace(20), trickler: pace(250), flooder: flood }[role])

function serve(listener: http.RequestListener): void {
  const server = http.createServer(listener).listen(0, '127.0.0.1', () => {
    port.postMessage({ port: (server.address() as AddressInfo).port })
  })
}

/** Replies with a summary of the request. */
function digest(req: http.IncomingMessage, res: http.ServerResponse): void {
  const parts: Buffer[] = []
  req.on('data', (part: Buffer) => parts.push(part))
  req.on('end', () => {
    const bytes = Buffer.concat(parts)
    const text = bytes.length === 0 ? '' : textOf(bytes)
    const message = { role: 'assistant', content: `${bytes.length} ${text}` }
    const choices = [{ index: 0, message, text: message.content, finish_reason: 'stop' }]
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ choices, usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }))
  })
}

function textOf(bytes: Buffer): string {
  const { messages, prompt } = JSON.parse(bytes.toString()) as { messages?: unknown; prompt?: unknown }
  return hash(strings(messages ?? prompt).join('\n'))
}

/** Every text of a request that models read, in order. Arguments of tool calls are parsed. */
function strings(value: unknown, name = ''): string[] {
  if (typeof value === 'string') {
    if (name === 'arguments') return strings(JSON.parse(value))
    return ['role', 'type', 'id', 'name', 'tool_call_id', 'tool_use_id', 'media_type'].includes(name) ? [] : [value]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, one]) => strings(one, Array.isArray(value) ? name : member))
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Events at this pace until the client disconnects. */
function pace(everyMs: number): http.RequestListener {
  const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x' }, finish_reason: null }] })}\n\n`
  return (req, res) => {
    req.resume()
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    const timer = setInterval(() => res.write(event), everyMs)
    res.on('close', () => clearInterval(timer))
  }
}

/** Events of 4 KB, while the client reads. */
function flood(req: http.IncomingMessage, res: http.ServerResponse): void {
  req.resume()
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  const text = 'x'.repeat(4000)
  const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text }, text, finish_reason: null }] })}\n\n`
  const more = () => {
    while (!res.destroyed && res.write(event));
  }
  res.on('drain', more)
  more()
}

async function obey(order: UploadOrder | StreamOrder | CrowdOrder): Promise<void> {
  if (order.kind === 'crowd') gather(order)
  else port.postMessage(order.kind === 'upload' ? await upload(order) : await streams(order))
}

/**
 * Opens connections that send the given bytes and read nothing, or that send nothing and read. Reports how many of them
 * the other side has closed.
 */
function gather({ port: at, requests, ms }: CrowdOrder): void {
  let closed = 0
  const report = () => {
    clearTimeout(timer)
    port.postMessage({ closed })
    // These are closed by the client, and are not counted.
    for (const socket of sockets) socket.removeAllListeners('close').destroy()
  }
  const timer = setTimeout(report, ms)
  const sockets = requests.map(request => {
    const socket = net.connect(at, '127.0.0.1')
    socket.on('error', () => {})
    socket.on('close', () => {
      if (++closed === requests.length) report()
    })
    if (request === '') {
      socket.resume()
    } else {
      socket.pause()
      socket.write(request)
    }
    return socket
  })
}

const UNIT = 'aé"\\\n🎉'

function upload({ url, path, body: kind, size, key }: UploadOrder) {
  const body = bodyOf(kind, size)
  const text = Buffer.from(JSON.stringify(body))
  const expected = hash(
    strings(body.messages ?? body.input ?? body.prompt)
      .map(one => (kind === 'blocks' && !one.startsWith('data:') ? `data:image/png;base64,${one}` : one))
      .join('\n'),
  )
  return new Promise(resolve => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': text.length,
    }
    const request = http.request(url + path, { method: 'POST', headers }, res => {
      let answer = ''
      res.on('data', (piece: Buffer) => {
        answer += piece
      })
      res.on('end', () =>
        resolve({ status: res.statusCode, answer: answer.slice(0, 2000), expected, bytes: text.length }),
      )
    })
    request.on('error', cause => resolve({ status: 0, answer: String(cause), expected, bytes: text.length }))
    request.end(text)
  })
}

interface Body {
  readonly model: string
  readonly max_tokens?: number
  readonly messages?: unknown
  readonly input?: unknown
  readonly prompt?: unknown
}

function bodyOf(kind: HeavyBody, size: number): Body {
  const long = UNIT.repeat(Math.ceil(size / 14))
  const image = 'iVBORw0KGgo'.repeat(Math.ceil(size / 11))
  const common = { model: 'big', max_tokens: 5 }
  switch (kind) {
    case 'text':
      return { ...common, messages: [{ role: 'user', content: long }] }
    case 'prompt':
      return { ...common, prompt: ['short', long] }
    case 'input':
      return { model: 'big', input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: long }] }] }
    case 'image':
      return {
        ...common,
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } }] },
        ],
      }
    case 'blocks':
      return {
        ...common,
        messages: [
          {
            role: 'user',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } }],
          },
        ],
      }
    case 'call':
      return {
        ...common,
        messages: [
          { role: 'user', content: 'write' },
          {
            role: 'assistant',
            content: [
              { type: 'tool_use', id: 't1', name: 'write', input: { file: 'a', list: [long, { deep: `x${long}` }] } },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: long }] },
        ],
      }
    case 'many':
      return {
        ...common,
        messages: Array.from({ length: size }, (_, i) => ({
          role: i % 2 ? 'assistant' : 'user',
          content: `message ${i}`,
        })),
      }
    case 'broken':
      return {
        ...common,
        messages: [
          { role: 'user', content: long },
          { role: 'nobody', content: 'x' },
        ],
      }
  }
}

/**
 * Opens streams that continue until this worker ends. Answers when each of them has been read from the given number of
 * times, with the times between two reads of the same stream, in ms.
 */
async function streams({ url, model, count, reads, key }: StreamOrder) {
  const gaps: number[] = []
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const wentOn = Array.from({ length: count }, () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const request = http.request(`${url}/v1/chat/completions`, { method: 'POST', headers }, res => {
      let last = 0
      let read = 0
      res.on('data', () => {
        const now = performance.now()
        if (last > 0) gaps.push(now - last)
        last = now
        if (read++ === reads) resolve()
      })
    })
    request.on('error', () => {})
    request.end(JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'x' }] }))
    return promise
  })
  await Promise.all(wentOn)
  return { gaps }
}
