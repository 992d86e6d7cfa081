import { expect } from 'chai'
import { html } from '../../../lib/pages/html.ts'
import {
  addressHtml,
  breakable,
  chips,
  durationText,
  emptyState,
  htmlBadge,
  htmlFacts,
  htmlMenu,
  htmlMeter,
  htmlStats,
  htmlTabs,
  idHtml,
  nameHtml,
  timeHtml,
} from '../../../lib/pages/parts.ts'

describe('parts of pages', () => {
  it('are durations in milliseconds or seconds', () => {
    expect([3.4, 9999, 12_345, null].map(durationText)).deep.equal(['3 ms', '9999 ms', '12.3 s', '–'])
  })

  it('are stats with a name, a value, its meaning, and the list behind it', () => {
    const [plain, linked] = [
      htmlStats([{ name: 'A', value: '<1>' }]),
      htmlStats([{ name: 'B', value: '2', more: 'c', href: '/d' }]),
    ]
    expect(plain.toString()).contain('<dt>A</dt><dd>&lt;1&gt;</dd>')
    expect(linked.toString()).contain('<dd><a href="/d">2</a><small>c</small></dd>')
  })

  it('are stats whose long values are smaller, and whose texts have the size of texts', () => {
    const classOf = (value: string) => /<dd(?: class="(\w+)")?>/.exec(htmlStats([{ name: 'A', value }]).toString())![1]
    expect(['12,345', '123,456.78 USD', '600 requests a minute, 20 USD in 30d'].map(classOf)).deep.equal([
      undefined,
      'long',
      'fact',
    ])
    const value = html`<a href="/a/long/path">1</a><small>what it means</small>`
    expect(htmlStats([{ name: 'A', value }]).toString()).contain('<dd><a')
  })

  it('are facts with names and values', () => {
    expect(htmlFacts([['Key', '<k>']]).toString()).contain('<div><dt>Key</dt><dd>&lt;k&gt;</dd></div>')
  })

  it('are names, of which long ones wrap', () => {
    expect(nameHtml('m')).equal('m')
    expect(nameHtml('max@research.example.org').toString()).contain('max@<wbr>research')
    expect(nameHtml('meta-llama-3.3-70b-instruct').toString()).equal(
      '<span class="name">meta-llama-3.3-70b-instruct</span>',
    )
  })

  it('are badges, of which plain ones have no colour', () => {
    expect(htmlBadge('draft').toString()).equal('<span class="badge">draft</span>')
    expect(htmlBadge('down', 'error').toString()).equal('<span class="badge error">down</span>')
  })

  it('are empty states that say what would fill them', () => {
    expect(emptyState('None', html`<a href="/x">Create one</a>`).toString())
      .contain('<strong>None</strong>')
      .and.contain('href="/x"')
  })

  it('are times in UTC, which a script shows in the zone of the viewer', () => {
    expect(timeHtml('2026-11-23T04:05:06.789Z').toString()).equal(
      '<time datetime="2026-11-23T04:05:06.789Z" title="2026-11-23 04:05:06 UTC">2026-11-23 04:05:06</time>',
    )
    expect(timeHtml(null)).equal('–')
  })

  it('are codes of errors and users that wrap after a part', () => {
    expect(breakable('rate_limit_exceeded').toString()).equal('rate_<wbr>limit_<wbr>exceeded')
    expect(breakable('<alice>@acme.example').toString()).equal('&lt;alice&gt;@<wbr>acme.example')
    expect(breakable('alice@acme.test')).equal('alice@acme.test')
  })

  it('are ids to copy', () => {
    expect(idHtml('<k>').toString()).equal('<code class="whole" data-id>&lt;k&gt;</code>')
  })

  it('are short addresses of backends, with the whole one as title', () => {
    const short = {
      'http://127.0.0.1:22107/v1': ':22107',
      'http://localhost:8000': ':8000',
      'http://[::1]:8000/v1': ':8000',
      'http://10.0.3.7:8000/v1/': '10.0.3.7:8000',
      'http://[fd00::7]:8000/v1': '[fd00::7]:8000',
      'http://vllm-0.vllm.models.svc.cluster.local:8000/v1': 'vllm-0:8000',
      'http://gpu-1:8000/a/v1': 'gpu-1:8000/a',
      'https://api.example.com/v1': 'api.example.com',
      'http://gpu-1/v1': 'gpu-1:80',
      'unix:/run/engine.sock': 'unix:/run/engine.sock',
    }
    for (const [url, text] of Object.entries(short))
      expect(addressHtml(url).toString(), url).equal(`<span class="whole" title="${url}">${text}</span>`)
  })

  it('are meters that end at their limit', () => {
    expect(htmlMeter(1, 4).toString()).contain('width="25.0"')
    expect(htmlMeter(9, 4).toString()).contain('width="100.0"')
    expect(htmlMeter(9, 0).toString()).contain('width="0.0"')
  })

  it('are links that set a filter', () => {
    const text = chips('Status', [['All', '/?a=1&b=2', true]]).toString()
    expect(text).contain('<a href="/?a=1&amp;b=2" aria-current="true">All</a>')
  })

  it('are tabs: links, of which one is the current page', () => {
    const tabs = [
      ['A', '/a'],
      ['<B>', '/b'],
    ] as const
    expect(htmlTabs('Parts', tabs, 'A').toString())
      .contain('<nav class="tabs" aria-label="Parts">')
      .and.contain('<a href="/a" aria-current="page">A</a>')
      .and.contain('<a href="/b">&lt;B&gt;</a>')
  })

  it('are menus that open without script', () => {
    const menu = htmlMenu('<Actions>', [html`<a href="/x">Limits</a>`]).toString()
    expect(menu)
      .match(/^<details class="menu"/)
      .and.contain('>&lt;Actions&gt;</summary>')
      .and.contain('<a href="/x">')
  })
})
