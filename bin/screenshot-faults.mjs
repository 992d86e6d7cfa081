// Faults that a picture hides, or that are easy to miss in it. Runs in the page.

/** Texts about elements that are cut off, wider than the window, or wrapped heads. */
export function faultsOf() {
  const faults = []
  const width = document.documentElement.clientWidth
  const name = element =>
    `${element.tagName.toLowerCase()}.${element.className} "${element.textContent.trim().slice(0, 40)}"`
  const isShown = element => element.checkVisibility() && element.closest('.hidden, .skip') === null
  if (document.documentElement.scrollWidth > width)
    faults.push(`the page is ${document.documentElement.scrollWidth} px wide`)
  for (const element of document.querySelectorAll('body *')) {
    if (!isShown(element) || element.closest('svg, .u-wrap') !== null) continue
    const box = element.getBoundingClientRect()
    if (box.width < 2) continue
    const scrolls = element.closest('.wide, .panel, pre')
    if (box.right > width + 1 && scrolls === null) faults.push(`beyond the window: ${name(element)}`)
    if (
      element.scrollWidth > element.clientWidth + 1 &&
      element.clientWidth > 0 &&
      getComputedStyle(element).display !== 'inline'
    )
      faults.push(`cut off by ${element.scrollWidth - element.clientWidth} px: ${name(element)}`)
    if (element.matches('input[placeholder]') && element.value === '') {
      const text = document.createElement('canvas').getContext('2d')
      text.font = getComputedStyle(element).font
      if (text.measureText(element.placeholder).width > element.clientWidth - 20)
        faults.push(`placeholder cut off: ${element.placeholder}`)
    }
    if (element.matches('thead th') && innerWidth > 640 && box.height > 40)
      faults.push(`wrapped head: ${name(element)}`)
  }
  return [...new Set(faults)]
}
