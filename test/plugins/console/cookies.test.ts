import { expect } from 'chai'
import { deletedCookie, openedCookie, sessionSecret } from '../../../plugins/console/cookies.ts'

const services = { config: { brand: 'service' } }
const plain = { headers: {}, origin: 'http://a' }
const secure = { headers: {}, origin: 'https://a' }

describe('cookies of the console', () => {
  it('are named after the brand, and bound to the host over TLS', () => {
    expect(openedCookie(services, plain, 's3cret', 60)).match(/^service_session=s3cret; .*Max-Age=60;/)
    expect(openedCookie(services, secure, 's3cret', 60)).match(/^__Host-service_session=s3cret; .*; Secure$/)
    expect(deletedCookie(services, secure)).match(/^__Host-service_session=; Path=\/; Max-Age=0;/)
  })

  it('are read as they were set', () => {
    const headers = { cookie: 'service_session=a; __Host-service_session=b' }
    expect([plain, secure].map(one => sessionSecret(services, { ...one, headers }))).deep.equal(['a', 'b'])
  })
})
