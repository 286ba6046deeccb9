import { describe, expect, it } from 'vitest'
import { sources } from './tree.ts'

/** Nouns that end like gerunds, and the names of what happens at a stage. */
const nouns = new Set([
  'billing',
  'booking',
  'embedding',
  'ending',
  'greeting',
  'incoming',
  'onboarding',
  'rating',
  'ring',
  'sharing',
  'string',
  'waiting',
])

describe('the name of a file or a folder', () => {
  it('is a noun or a verb, and no gerund', () => {
    const gerunds = sources('src', 'protocol', 'adapters', 'tests').filter((path) =>
      path
        .replace(/\.(?:test\.|cases\.)?ts$/, '')
        .split(/[/-]/)
        .some((word) => /...ing$/.test(word) && !nouns.has(word)),
    )
    expect(gerunds).toEqual([])
  })

  it('is spelled in small letters, with a dash between words', () => {
    const others = sources('src', 'protocol', 'adapters', 'tests').filter(
      (path) => !/^(?:[a-z0-9]+(?:-[a-z0-9]+)*[/.])*(?:test\.|play\.|cases\.)?ts$/.test(path),
    )
    expect(others).toEqual([])
  })
})
