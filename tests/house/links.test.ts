import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { read, root } from './tree.ts'

/** Where a path that a page names may begin: files are also named from inside their part. */
const bases = ['', 'src', 'adapters', 'adapters/store', 'tests', 'docs']

const folders = ['.', 'docs', 'docs/guides', 'examples/typescript-client']
const pages = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => normalize(join(folder, file))),
)

/** As links to its headings are spelled where the repository is read. */
function anchorsOf(page: string): Set<string> {
  const prose = read(page).replaceAll(/^```.*?^```/gms, '')
  return new Set(
    [...prose.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\s-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  )
}

describe('the pages of the repository', () => {
  it.each(pages)('%s links to files and headings that there are', (page) => {
    const gone = [...read(page).matchAll(/\]\(([^)\s:{]+)\)/g)].flatMap(([, link = '']) => {
      const [path = '', anchor] = link.split('#')
      const there = path === '' ? page : normalize(join(dirname(page), path))
      if (!existsSync(join(root, there))) return [link]
      return anchor === undefined || anchorsOf(there).has(anchor) ? [] : [link]
    })
    expect(gone).toEqual([])
  })

  it.each(pages)('%s names every door of A2A with its final slash', (page) => {
    // Clients look for the card of a door relative to its address.
    const bare = read(page).match(/(?<!application)\/a2a(?:\/[\w{}$-]+)?(?![\w/{}$.+-])/g)
    expect(bare ?? []).toEqual([])
  })

  it.each(pages.filter((page) => !page.startsWith('examples/')))(
    '%s names files and folders that there are',
    (page) => {
      const named = [...read(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g)].map(
        ([, path = '']) => path,
      )
      const paths = named.filter((path) => {
        return /\.(?:test\.)?ts$|^(?:src|protocol|adapters|tests|docs|examples)\//.test(path)
      })
      const gone = paths.filter((path) => !bases.some((base) => existsSync(join(root, base, path))))
      expect(gone).toEqual([])
    },
  )
})
