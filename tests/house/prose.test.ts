import { describe, expect, it } from 'vitest'
import { files, read } from './tree.ts'

/** Words that plain English of today does without. */
const words = [
  'whoever whomever whatever nobody nobodys somebody somebodys beside anew thereby lest'.split(' '),
  ['of ours', 'of theirs', 'of hers', 'of yours', 'comes of', 'came of', 'come of'],
  ['sees to', 'seen to', 'see to', 'saw to'],
  ['once more', 'as it were', 'is no more', 'at hand', 'for want of'],
].flat()

// A phrase may go on in the next line, which in a comment begins with a mark.
const gap = String.raw`(?:\s|\*|//|#)+`
const refused = new RegExp(
  String.raw`\b(?:${words.map((word) => word.replaceAll(' ', gap)).join('|')})\b`,
  'gi',
)

/** Files that hold such a word as data, and which words. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // Reserved handles.
  'src/commons/handle.ts': ['nobody'],
  // Texts of imported cards.
  'tests/agents/imports/samples.ts': ['at hand'],
  'tests/agents/imports/formats.test.ts': ['at hand'],
}

/** Made by programs from texts that are checked themselves, or this list of words. */
const unread = new Set([
  'src/core/conformance-report.json',
  'src/documents/answers.json',
  'protocol/mcp/apps/script.json',
  'examples/typescript-client/contract.d.ts',
  'tests/house/prose.test.ts',
])

interface Finding {
  path: string
  line: number
  word: string
}

function findingsIn(path: string, text: string): Finding[] {
  return [...text.matchAll(refused)].map(({ 0: found, index }) => ({
    path,
    line: text.slice(0, index).split('\n').length,
    word: found.toLowerCase().replaceAll(new RegExp(gap, 'g'), ' '),
  }))
}

const isText = /\.(?:ts|mjs|py|json|md|yaml)$|^(?:Dockerfile|\.ci\/run)$/
const texts = files('src', 'adapters', 'protocol', 'tests', 'docs', 'examples', '.ci')
const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']
const settings = ['package.json', 'compose.yaml', 'Dockerfile', 'vitest.config.ts']
const found = [...texts, ...pages, ...settings]
  .filter((path) => isText.test(path) && !unread.has(path))
  .flatMap((path) => findingsIn(path, read(path)))

describe('the prose of the project', () => {
  it('is plain English of today', () => {
    const faults = found
      .filter(({ path, word }) => !exceptions[path]?.includes(word))
      .map(({ path, line, word }) => `${path}:${line}: ${word}`)
    expect(faults).toEqual([])
  })

  it('needs each of its exceptions', () => {
    const idle = Object.entries(exceptions).flatMap(([path, excepted]) =>
      excepted
        .filter((word) => !found.some((one) => one.path === path && one.word === word))
        .map((word) => `${path}: ${word}`),
    )
    expect(idle).toEqual([])
  })

  it('is searched across lines, and by whole words', () => {
    const text = 'a line\n * That is seen\n * to. It lies besides.\n// Nobody came.'
    expect(findingsIn('a.ts', text)).toEqual([
      { path: 'a.ts', line: 2, word: 'seen to' },
      { path: 'a.ts', line: 4, word: 'nobody' },
    ])
  })
})
