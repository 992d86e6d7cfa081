/** What one account sends to hurt the others. Bodies are made once and shared by all connections. */

export interface Attack {
  readonly name: string
  readonly connections: number
  /** The body; a text that a reply repeats for readers that do not read. */
  readonly body: Buffer
  /** Bytes at its end that are never sent: the request stays unfinished. */
  readonly withheld: number
  /** Replies are not read. */
  readonly deaf: boolean
  /** For which the connections are held open after everything has been sent. */
  readonly holdMs: number
}

const HEAD = '{"model":"m","messages":[{"role":"user","content":"hi"}],'

function tools(parameters: string, description = 'd'): Buffer {
  const tool = `{"type":"function","function":{"name":"f","description":"${description}","parameters":${parameters}}}`
  return Buffer.from(`${HEAD}"tools":[${tool}]}`)
}

const list = (count: number, item: (index: number) => string) => Array.from({ length: count }, (_, i) => item(i)).join()

const enumOf = (values: string) => `{"type":"object","properties":{"a":{"enum":[${values}]}}}`

/** Each three bytes become 64 on the heap. */
const ENUM = tools(enumOf(list(500_000, () => '{}')))

/** `scale`: 1 for the attacks as they are; less for a quick try. */
export function attacks(scale: number): readonly Attack[] {
  const many = (count: number) => Math.max(2, Math.round(count * scale))
  const common = { withheld: 0, deaf: false, holdMs: 0 }
  return [
    {
      ...common,
      name: 'unfinished `enum` of `{}`',
      connections: many(300),
      body: ENUM,
      withheld: 20,
      holdMs: 20_000,
    },
    {
      ...common,
      name: 'whole `enum` of `{}`',
      connections: many(300),
      body: ENUM,
    },
    {
      ...common,
      name: 'tools with a description of 50 MB',
      connections: many(40),
      body: tools('{"type":"object","properties":{}}', 'x'.repeat(50_000_000)),
    },
    {
      ...common,
      name: 'tools with texts of 400 KB',
      connections: many(40),
      body: Buffer.from(
        `${HEAD}"tools":[${list(120, i => `{"type":"function","function":{"name":"f${i}","description":"${'x'.repeat(400_000)}"}}`)}]}`,
      ),
    },
    {
      ...common,
      name: 'objects, every name new',
      connections: many(86),
      body: tools(enumOf(list(75_000, i => `{"k${i}":1}`))),
    },
    {
      ...common,
      name: '50,000 short messages',
      connections: many(43),
      body: Buffer.from(`{"model":"m","messages":[${list(50_000, i => `{"role":"user","content":"text ${i}"}`)}]}`),
    },
    {
      ...common,
      name: 'readers that do not read',
      connections: many(2000),
      body: Buffer.from('{"model":"flood","stream":true,"messages":[{"role":"user","content":"hi"}]}'),
      deaf: true,
      holdMs: 20_000,
    },
  ]
}
