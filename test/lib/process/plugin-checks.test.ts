import { expect } from 'chai'
import { planSetup } from '../../support/plan.ts'

describe('plugin-checks', () => {
  const { write, planned } = planSetup()

  describe('what a plugin declares', () => {
    let made = 0
    const problemsWith = async (text: string) => {
      // A module is loaded once, whatever its file holds later.
      const file = `own-${++made}.mjs`
      write(file, `export default { name: 'own', summary: '', setup: () => ({}), ${text} }`)
      const { problems } = await planned([`./${file}`])
      const where = `line 6: plugins.0 ('./${file}'): `
      return problems.filter(problem => problem.startsWith(where)).map(problem => problem.slice(where.length))
    }

    it('is about routes that there are', async () => {
      expect(await problemsWith("routes: { route: ['chatt', 'landing'], surface: ['moon'] }")).deep.equal([
        "there is no route 'chatt': did you mean 'chat'?",
        "there is no surface 'moon'.",
      ])
      expect(await problemsWith('routes: { proxed: true }')).deep.equal([
        "its routes have no column 'proxed': did you mean 'proxied'?",
      ])
      expect(await problemsWith("routes: { access: 'session', proxied: false, canonical: true }")).deep.equal([])
    })

    it('is spelt as it is read', async () => {
      expect(await problemsWith('need: []')).deep.equal(["the plugin has a member 'need': did you mean 'needs'?"])
      expect(await problemsWith("version: '1.0'")).deep.equal([])
    })
  })
})
