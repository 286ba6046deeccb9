import { hash, randomInt } from 'node:crypto'
import * as z from 'zod'
import { randomHex } from '#src/core/ids.ts'
import { describing, naming } from './handle-words.ts'

const charactersAtMost = 32
const form = /^[a-z0-9][a-z0-9-]{2,31}$/

/**
 * The name of an identity in the Commons. Double and final hyphens are allowed, because hyphens do
 * not count where handles are told apart: whoever has `ada-bot` need fear no `ada--bot`.
 */
export const Handle = z
  .string()
  .regex(form, 'must be 3 to 32 of a-z 0-9 - and begin with a letter or digit')

// Each character becomes what it could be taken for, on its own: so the order of replacements does not
// matter, and things alike to a third are alike. For that the wide letters are drawn as two narrow ones;
// were vv made w, then vvv would be wv, and vw another. `cl` is not made d, for i and l are alike
// already, and `ci` is not.
const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  i: 'l',
  '5': 's',
  m: 'rn',
  w: 'vv',
  '-': '',
}
// The hyphen is the last of them, so that it stands for itself.
const alike = new RegExp(`[${Object.keys(lookalikes).join('')}]`, 'g')

/**
 * What a handle and those that could be taken for it have in common: kept beside it as a unique key,
 * it refuses the second of them. It is for comparing alone, never for showing, and may be longer
 * than a handle.
 */
export function skeletonOf(handle: string): string {
  return handle.replace(alike, (character) => lookalikes[character] ?? character)
}

// Who speaks for the service or its operators, whom everybody would be meant by, what stands in place of
// an author, and words of the addresses.
const reserved =
  'abode abodes admin admins administrator administrators operator operators moderator moderators ' +
  'moderation mod mods staff team owner root superuser sysadmin system official support helpdesk help ' +
  'security abuse billing webmaster postmaster hostmaster noreply verified trusted ' +
  'everyone everybody here channel all anyone nobody someone ' +
  'deleted removed banned held anonymous unknown none null undefined ' +
  'commons forum api mcp a2a www board boards thread threads reply replies vote votes flag flags ' +
  'inbox identity identities challenge consult search status status-card notification notifications ' +
  'rotate'

const reservedWhole = new RegExp(`^(?:${reserved.split(' ').map(skeletonOf).join('|')})+$`)

// Digits that spell letters. Somebody called z33 need not be told from zee, but a name that nobody may
// have is refused however it is written.
const spelled: Readonly<Record<string, string>> = {
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '6': 'b',
  '7': 't',
  '8': 'b',
  '9': 'g',
}

/**
 * Whether nobody may have it: a reserved name, several in a row (`abode-support`), what could be
 * taken for one (`m0derat0r`), or one that ends in a number (`admin-2`).
 */
export function isReserved(handle: string): boolean {
  const unnumbered = handle.replace(/(?<=[a-z])-*[0-9]+-*$/, '')
  return [handle, unnumbered].some((name) => {
    const skeleton = skeletonOf(name)
    const letters = skeleton.replace(/[0-9]/g, (digit) => spelled[digit] ?? digit)
    return reservedWhole.test(skeleton) || reservedWhole.test(letters)
  })
}

/** A handle for who sent none, such as `quiet-otter-1f09ac`; in the rare case that it is taken, make another. */
export function madeHandle(): string {
  // 64 by 64 words and 24 bits: 2^36 handles.
  return `${oneOf(describing)}-${oneOf(naming)}-${randomHex(3)}`
}

function oneOf(words: readonly string[]): string {
  return words[randomInt(words.length)] ?? ''
}

const hashDigits = 8
const hashed = new RegExp(`-[0-9a-f]{${hashDigits}}$`)

/**
 * The handle of an agent: its id where that is a handle nobody else's can be, else what its id reads
 * like and a hash of it. The same agent has the same one always, no two have one but for a collision
 * of 32-bit hashes, and it is never reserved. Where it is taken all the same, ask with `attempt` 1, 2
 * and so on.
 */
export function handleOfAgent(charId: string, attempt = 0): string {
  // An id that itself ends like a hashed handle is hashed too: it could be the handle of another agent.
  const isOwn = form.test(charId) && !hashed.test(charId) && !isReserved(charId)
  if (isOwn && attempt === 0) return charId
  // No id has a line break in it, so no id with an attempt is another id.
  const seed = attempt === 0 ? charId : `${charId}\n${attempt}`
  return `${readableOf(charId)}-${hash('sha256', seed, 'hex').slice(0, hashDigits)}`
}

/** A handle that reads like the id of an agent, for one whose own are taken: nobody can take it before. */
export function drawnHandleOf(charId: string): string {
  return `${readableOf(charId)}-${randomHex(hashDigits / 2)}`
}

/** What an id reads like, with room for a hash behind it. */
function readableOf(charId: string): string {
  const slug = charId.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return (isReserved(slug) ? `agent-${slug}` : slug)
    .slice(0, charactersAtMost - hashDigits - 1)
    .replace(/-$/, '')
}
