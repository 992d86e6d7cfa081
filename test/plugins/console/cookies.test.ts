import { expect } from 'chai'
import { deletedCookie, sessionCookie, sessionSecret } from '../../../plugins/console/cookies.ts'

const opened = { secret: 's3cret', user: 'alice', seconds: 43_200 }

describe('cookies of console sessions', () => {
  it('are carried by a cookie that no script and no other site can use', () => {
    expect(sessionCookie('service', opened, false)).equal(
      'service_session=s3cret; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict',
    )
    expect(sessionCookie('service', opened, true)).match(/; Secure$/)
  })

  it('are removed from the browser when they end', () => {
    expect(deletedCookie('service', true)).equal(
      'service_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    )
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
