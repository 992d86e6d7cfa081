import { expect } from 'chai'
import { askStore } from '../../../lib/store/ask.ts'
import { endedCookie, sessionCookie, sessionSecret, storeSessions } from '../../../lib/store/session-service.ts'
import { createLink } from '../../../lib/store/sessions.ts'
import { ManualClock } from '../../support/clock.ts'
import { onEveryStore } from '../../support/stores.ts'

const opened = { secret: 's3cret', user: 'alice', seconds: 43_200 }

describe('sessions', () => {
  onEveryStore(store => {
    it('last as long as their cookie', async () => {
      const clock = new ManualClock()
      const sessions = storeSessions(askStore(store()), clock)
      const link = await createLink(store(), 'alice', clock.now() * 1000)
      const { secret, seconds } = (await sessions.open(link))!
      expect(await sessions.open(link)).equal(undefined)
      clock.advance(seconds * 1000 - 1)
      expect(await sessions.userOf(secret)).equal('alice')
      clock.advance(1)
      expect(await sessions.userOf(secret)).equal(undefined)
    })

    it('can be ended, each by its own secret alone', async () => {
      const clock = new ManualClock()
      const sessions = storeSessions(askStore(store()), clock)
      const link = () => createLink(store(), 'alice', clock.now() * 1000)
      const [one, other, unused] = [await sessions.open(await link()), await sessions.open(await link()), await link()]
      for (const secret of [one!.secret, one!.secret, 'made-up', unused]) await sessions.close(secret)
      expect(await sessions.userOf(one!.secret)).equal(undefined)
      expect(await sessions.userOf(other!.secret)).equal('alice')
      expect(await sessions.open(unused)).include({ user: 'alice' })
    })
  })

  it('are carried by a cookie that no script and no other site can use', () => {
    expect(sessionCookie('service', opened, false)).equal(
      'service_session=s3cret; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict',
    )
    expect(sessionCookie('service', opened, true)).match(/; Secure$/)
  })

  it('leave nothing in the browser when they end', () => {
    expect(endedCookie('service', true)).equal('service_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure')
  })

  it('are read from among other cookies', () => {
    const read = (cookie?: string) => sessionSecret('service', cookie === undefined ? {} : { cookie })
    expect(read('service_session=abc')).equal('abc')
    expect(read('a=1; service_session=abc=; b=2')).equal('abc=')
    expect(read('a=1;service_session=abc;service_session=def')).equal('abc')
    expect(read('my_service_session=abc; service_sessions=x')).equal(undefined)
    expect(read('')).equal(undefined)
    expect(read()).equal(undefined)
  })
})
