import theme from 'vitepress/theme-without-fonts'
import { nextTick } from 'vue'
import './site.css'

export default {
  extends: theme,
  enhanceApp({ router }) {
    if (import.meta.env.SSR) return
    // The theme's first page has no main landmark; config.ts adds it to the file.
    router.onAfterRouteChange = () =>
      nextTick(() => {
        const content = document.getElementById('VPContent')
        if (content?.classList.contains('is-home')) content.setAttribute('role', 'main')
        else content?.removeAttribute('role')
      })
  },
}
