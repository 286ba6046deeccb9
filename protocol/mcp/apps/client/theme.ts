import type { App } from '@modelcontextprotocol/ext-apps'

type HostContext = NonNullable<ReturnType<App['getHostContext']>>

const variable = /^--(?:color|font)-[a-z0-9-]{1,60}$/
/** A value that could ask for anything of another place is none. */
const isOutside = /url\(|image-set\(|@import/i
const needed = [
  '--color-background-primary',
  '--color-background-secondary',
  '--color-text-primary',
  '--color-text-secondary',
  '--color-border-primary',
]

/** Shows the document as its host looks: by day or by night, in its colours if it gives those that belong together. */
export function dress(root: HTMLElement, { theme, styles }: HostContext): void {
  if (theme === 'light' || theme === 'dark') root.style.colorScheme = theme
  const given = Object.entries(styles?.variables ?? {}).filter(
    ([name, value]) => variable.test(name) && typeof value === 'string' && !isOutside.test(value),
  )
  for (const [name, value] of given) root.style.setProperty(name, value ?? '')
  const names = new Set(given.map(([name]) => name))
  if (needed.every((name) => names.has(name))) root.dataset['colors'] = 'host'
}

/** The reader's time zone: as the host says, else as the browser does. */
export function zoneOf(context: HostContext | undefined): string {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  try {
    return new Intl.DateTimeFormat('en', { timeZone: context?.timeZone ?? own }).resolvedOptions()
      .timeZone
  } catch {
    return own
  }
}
