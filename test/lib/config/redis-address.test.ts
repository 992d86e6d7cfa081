import { expect } from 'chai'
import { parseRedisUrl } from '../../../lib/config/redis-address.ts'

const problem = (url: string): string => {
  try {
    parseRedisUrl(url)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error(`${url} was taken`)
}

describe('limits_store', () => {
  it('is one Redis', () => {
    expect(parseRedisUrl('redis://localhost')).deep.equal({
      mode: 'single',
      nodes: [{ host: 'localhost', port: 6379 }],
      master: '',
      tls: false,
      username: undefined,
      password: undefined,
      db: 0,
    })
    expect(parseRedisUrl('rediss://me:s%40cret%3A@[::1]:7000/4')).include({
      tls: true,
      username: 'me',
      password: 's@cret:',
      db: 4,
    })
    expect(parseRedisUrl('redis://[::1]:7000').nodes).deep.equal([{ host: '::1', port: 7000 }])
    expect(parseRedisUrl('redis://:secret@a/')).include({ username: undefined, password: 'secret' })
    expect(parseRedisUrl('redis://me@a')).include({ username: 'me', password: undefined })
  })

  it('is a cluster, or a master that sentinels know', () => {
    expect(parseRedisUrl('redis://a:1,b?cluster=true')).deep.include({
      mode: 'cluster',
      nodes: [
        { host: 'a', port: 1 },
        { host: 'b', port: 6379 },
      ],
    })
    expect(parseRedisUrl('redis://a,b:2/1?sentinel=main')).deep.include({
      mode: 'sentinel',
      master: 'main',
      db: 1,
      nodes: [
        { host: 'a', port: 26379 },
        { host: 'b', port: 2 },
      ],
    })
  })

  it('is refused with a sentence that does not show the password', () => {
    const problems = [
      'redis://:hush@a,b',
      'redis://:hush@a?cluster=true&sentinel=m',
      'redis://:hush@a/1?cluster=true',
      'redis://:hush@a?timeout=5',
      'redis://:hush@a:port',
      'redis://:hush@',
      'redis://:hush@a/x',
    ].map(problem)
    for (const text of problems) expect(text).not.contain('hush')
    expect(new Set(problems).size).least(5)
  })
})
