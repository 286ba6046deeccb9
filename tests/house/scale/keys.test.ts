import { expect, it } from 'vitest'
import { collections } from '#src/collections.ts'
import type { CollectionDefinition } from '#src/ports/documents.ts'
import { read } from '../tree.ts'

const [begin, end] = ['<!-- keys -->', '<!-- /keys -->']

/** The unique indexes that do not begin with the key, as a cluster of shards wants them to. */
function apart({ shardKey, indexes }: CollectionDefinition): string[] {
  if (shardKey === null) return []
  const unique = indexes.filter((index) => index.unique)
  return unique
    .map(({ on }) => Object.keys(on))
    .flatMap(([path = '']) => (path === shardKey ? [] : [path]))
}

it('the page about scale has the key of every collection', async () => {
  const all = Object.entries<CollectionDefinition>(collections)
  const rows = all.flatMap(([name, definition]) => {
    const { shardKey } = definition
    const first = apart(definition).map((path) => `\`${path}\``)
    return shardKey === null ? [] : [`| \`${name}\` | \`${shardKey}\` | ${first.join(', ')} |`]
  })
  const whole = all.flatMap(([name, { shardKey }]) => (shardKey === null ? [`\`${name}\``] : []))
  const table = ['| Collection | Key | First |', '|---|---|---|', ...rows].join('\n')
  const listed = `${table}\n\nThese stay whole: ${whole.join(', ')}.`
  const page = read('docs/scale.md')
  const [before = ''] = page.split(begin)
  const after = page.slice(page.indexOf(end))
  const drawn = `${before}${begin}\n${listed}\n${after}`
  await expect(drawn, 'npm run docs').toMatchFileSnapshot('../../../docs/scale.md')
})
