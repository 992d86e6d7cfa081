import { expect } from 'chai'
import { reachable, START, startWith, table, urlOf } from '../../../lib/cli/output.ts'

describe('reachable', () => {
  it('replaces addresses that mean every interface, and no other', () => {
    expect(reachable('http://0.0.0.0:80/v1')).equal('http://127.0.0.1:80/v1')
    expect(reachable('https://[::]:443')).equal('https://[::1]:443')
    expect(reachable('http://10.0.0.0:80')).equal('http://10.0.0.0:80')
  })
})

describe('table', () => {
  it('pads columns to their widest cell, without trailing blanks', () => {
    expect(
      table(
        ['A', 'LONG', 'C'],
        [
          ['value', '', 'x'],
          ['v', 'w', ''],
        ],
      ),
    ).equal('A      LONG  C\nvalue  -     x\nv      w     -\n')
  })

  it('is its head when there are no rows', () => {
    expect(table(['A', 'B'], [])).equal('A  B\n')
  })
})

describe('urlOf', () => {
  it('puts an IPv6 address into brackets, once', () => {
    expect(urlOf({ host: '10.0.0.1', port: 80 })).equal('http://10.0.0.1:80')
    expect(urlOf({ host: '::', port: 80 }, 'https')).equal('https://[::1]:80')
    expect(urlOf({ host: '[::1]', port: 80 })).equal('http://[::1]:80')
  })
})

// test/pack.slow.test.ts shows the command of an installed package.
describe('the command that starts the gateway', () => {
  it('is npm in a checkout', () => {
    expect(START).equal('npm start')
    expect(startWith('--config FILE')).equal('npm start -- --config FILE')
  })
})
