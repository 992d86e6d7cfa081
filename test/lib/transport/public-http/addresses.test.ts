import { expect } from 'chai'
import { AddressGuard } from '../../../../lib/transport/public-http/addresses.ts'

describe('addresses of the public internet', () => {
  const guard = new AddressGuard([])

  it('allows global unicast', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '93.184.215.14', '172.15.255.255', '172.32.0.1', '100.63.0.1']) {
      expect(guard.allows(address), address).equal(true)
    }
    for (const address of ['2606:4700:4700::1111', '2a00:1450:4001:80b::200e', '2400::1', '2620:fe::fe']) {
      expect(guard.allows(address), address).equal(true)
    }
  })

  it('refuses all other IPv4 addresses', () => {
    const refused = ['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.255.254']
    refused.push('169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.88.99.1')
    refused.push('192.168.0.1', '198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9', '224.0.0.1')
    refused.push('239.255.255.250', '240.0.0.1', '255.255.255.255', '168.63.129.16')
    for (const address of refused) expect(guard.allows(address), address).equal(false)
  })

  it('refuses all other IPv6 addresses, also those that embed IPv4', () => {
    const refused = [
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:8.8.8.8',
      '::127.0.0.1',
      '::ffff:0:7f00:1',
    ]
    refused.push('64:ff9b::7f00:1', '64:ff9b:1::1', '100::1', '2001::1', '2001:10::1', '2001:20::1', '2001:1ff::1')
    refused.push('2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1')
    refused.push('ff02::1', '4000::1', '1fff::1', 'fe80::1%lo')
    for (const address of refused) expect(guard.allows(address), address).equal(false)
  })

  it('refuses text that is no address', () => {
    for (const text of ['', 'localhost', '127.1', '0x7f000001', '2130706433', '8.8.8.8/0', '[::1]', ' 8.8.8.8']) {
      expect(guard.allows(text), text).equal(false)
    }
  })

  it('allows only the configured addresses', () => {
    const open = new AddressGuard(['10.1.0.0/16', '127.0.0.1', 'fd00::/8', '::1'])
    for (const address of ['10.1.2.3', '127.0.0.1', 'fd12::1', '::1', '8.8.8.8']) {
      expect(open.allows(address), address).equal(true)
    }
    for (const address of ['10.2.0.1', '127.0.0.2', 'fe80::1', '::2'])
      expect(open.allows(address), address).equal(false)
  })
})
