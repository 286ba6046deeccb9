import type { MemoryEntry } from '#src/agents/memory/entry.ts'
import { html } from '#src/core/html/html.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import { timeOf } from '#src/views/moments.ts'
import { badge, name } from '#src/views/parts.ts'
import type { Line } from '#protocol/web/console/parts.ts'
import { readable } from '#protocol/web/console/readable.ts'
import type { Looking } from '#protocol/web/console/reader.ts'

const [begunWith, linesAtMost] = [100, 20]

/** Something that an agent remembers, as one of a list. @param within where its namespace is said already */
export function lineOfEntry(
  { terms: { paths }, at }: Looking,
  id: string,
  entry: MemoryEntry,
  within = true,
): Line {
  const { namespace, key, value, updated_at, untrusted } = entry
  const all = readable(value).split('\n', linesAtMost)
  const text = all.map((line) => line.trim()).join(' · ')
  const shown = text.length > begunWith ? `${text.slice(0, begunWith).toWellFormed()}…` : text
  return {
    href: paths.agent(id, ['memory', namespace, key]),
    name: html`<code>${!within && `${namespace}/`}${name(key, 128)}</code>`,
    about: html`<bdi>${withHiddenShown(shown)}</bdi>`,
    end: html`${untrusted && badge({ word: 'From outside', tone: 'wait', icon: 'warning' })}
    ${timeOf(updated_at, at)}`,
  }
}
