import { isMap } from '#src/core/maps.ts'
import type { ImportFormat } from './report.ts'
import { textOf, type ForeignAgent, type Path, type Sorting } from './sort-members.ts'
import { bioCharactersAtMost, woven, type Part } from './prompt-text.ts'

type Members = Record<string, unknown>

/** The names of the same members in the first programs. */
const olderNames: Readonly<Record<string, string>> = {
  char_name: 'name',
  char_persona: 'description',
  world_scenario: 'scenario',
  example_dialogue: 'mes_example',
  char_greeting: 'first_mes',
}

/**
 * The agent of a character card.
 * @see docs/importing.md
 */
export function agentOfCard(sorting: Sorting, format: ImportFormat): ForeignAgent {
  const base = format === 'chara_card_v1' ? [] : ['data']
  const at = (name: string): Path => [...base, namedIn(sorting, base, name)]
  if (base.length > 0) takeDoubles(sorting)
  sorting.nameBy(at('nickname'), at('name'))
  const notes = notesAt(sorting, at)
  const public_bio = notes && sorting.moved(notes, '/visibility/public_bio', bioCharactersAtMost)
  // The prompt first: members that are moved whole are gone afterwards.
  const system_prompt_override = promptOf(sorting, at)
  const picture = pictureOf(sorting, at('assets'))
  const agent: Members = {
    name: sorting.at(at('name')),
    bio: sorting.moved(at('description'), '/bio', bioCharactersAtMost),
    skills: sorting.movedList(at('tags'), '/skills'),
    personality: personalityOf(sorting, at('personality')),
    brain: { system_prompt_override },
    ...(public_bio && { visibility: { public_bio } }),
    ...(picture.address && { appearance: { avatar_url: picture.address } }),
  }
  const namePath = at('name')
  sorting.map(namePath, '/name')
  sorting.take(namePath)
  for (const name of ['spec', 'spec_version']) sorting.take([name])
  return { agent, namePath, picture: picture.embedded }
}

/** The name under which a member is found: its current one, or that of the first programs. */
function namedIn(sorting: Sorting, base: Path, name: string): string {
  if (sorting.at([...base, name]) !== undefined) return name
  const older = Object.keys(olderNames).find((key) => olderNames[key] === name)
  return older !== undefined && sorting.at([...base, older]) !== undefined ? older : name
}

/** Programs that write version 2 repeat version 1 next to it. */
function takeDoubles(sorting: Sorting): void {
  const whole = sorting.at([])
  if (!isMap(whole)) return
  for (const [name, value] of Object.entries(whole)) {
    const same = name === 'creatorcomment' ? 'creator_notes' : name
    if (name !== 'data' && JSON.stringify(sorting.at(['data', same])) === JSON.stringify(value)) {
      sorting.take([name])
    }
  }
}

/** The author's notes for users of the card: never part of a prompt. */
function notesAt(sorting: Sorting, at: (name: string) => Path): Path | undefined {
  const candidates = [
    [...at('creator_notes_multilingual'), 'en'],
    at('creator_notes'),
    at('creatorcomment'),
  ]
  return candidates.find((path) => sorting.text(path) !== '')
}

/**
 * Everything that programs for cards put before a conversation, in their order. Always set, because
 * otherwise the profile would stand in for it, and tags and notes must not be in a prompt.
 */
function promptOf(sorting: Sorting, at: (name: string) => Path): string {
  const { name } = sorting
  const opening = `You are ${name}.`
  const own = sorting.text(at('system_prompt')).replaceAll(/\{\{\s*original\s*\}\}/gi, opening)
  const parts: Part[] = [
    { path: own ? at('system_prompt') : [], text: own || opening },
    { path: at('description') },
    { path: at('personality'), before: `${name}'s personality: ` },
    { path: at('scenario'), before: 'Scenario: ' },
    ...constantLore(sorting, at('character_book')),
    { path: at('mes_example'), before: `How ${name} speaks:\n` },
    { path: at('first_mes'), before: `How ${name} opens a conversation:\n` },
    { path: at('post_history_instructions') },
  ]
  return woven(sorting, parts)
}

/** Lorebook entries that are always inserted; the others need their keywords, and stay in the book. */
function constantLore(sorting: Sorting, path: Path): Part[] {
  const book = sorting.at(path)
  const entries = isMap(book) && Array.isArray(book.entries) ? book.entries.filter(isMap) : []
  const told = entries.filter(
    ({ constant, enabled, content }) =>
      constant === true && enabled !== false && textOf(content).trim() !== '',
  )
  told.sort((a, b) => orderOf(a) - orderOf(b))
  const text = told.map(({ content }) => textOf(content).trim()).join('\n\n')
  return text ? [{ path: [...path, 'entries'], before: 'Always true:\n', text }] : []
}

function orderOf({ insertion_order }: Members): number {
  const order = Number(insertion_order)
  return Number.isFinite(order) ? order : 0
}

const longestTrait = 40

/** Traits if it is a list of a few words each, otherwise one text. */
function personalityOf(sorting: Sorting, path: Path): Members | null {
  if (sorting.text(path) === '') return null
  const pieces = sorting.list(path)
  const isList = pieces.length > 1 && pieces.every((piece) => piece.length <= longestTrait)
  if (isList && !/[.!?]\s/.test(sorting.text(path))) {
    return { traits: sorting.movedList(path, '/personality/traits') }
  }
  const temperament = sorting.moved(path, '/personality/temperament', bioCharactersAtMost)
  return { temperament }
}

/** The main icon of a card: an address, or the place of a picture that the card holds itself. */
function pictureOf(sorting: Sorting, path: Path): { address?: string; embedded?: Path } {
  const assets = sorting.at(path)
  if (!Array.isArray(assets)) return {}
  const icons = assets.filter(isMap).filter(({ type }) => type === 'icon')
  const icon = icons.find(({ name }) => name === 'main') ?? icons[0]
  const uri = textOf(icon?.uri)
  const place = [...path, String(assets.indexOf(icon)), 'uri']
  if (/^data:image\//i.test(uri)) return { embedded: place }
  if (!/^https?:\/\//i.test(uri) || uri.length > 2000) return {}
  sorting.map(place, '/appearance/avatar_url')
  return { address: uri }
}
