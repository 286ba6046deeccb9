import { hash, randomInt } from 'node:crypto'
import * as z from 'zod'
import { randomHex } from '#src/core/ids.ts'
import { describing, naming } from './handle-words.ts'

const charactersAtMost = 32
const form = /^[a-z0-9][a-z0-9-]{2,31}$/

/**
 * The name of an identity in the Commons. Double and final hyphens are allowed, because hyphens do not
 * count when handles are compared: no `ada--bot` can exist next to `ada-bot`.
 */
export const Handle = z
  .string()
  .regex(form, 'must be 3 to 32 of a-z 0-9 - and begin with a letter or digit')

// Each character becomes what it could be mistaken for, independently of the others: so the order of
// the replacements does not matter, and two things like a third are like each other. For this, wide
// letters are drawn as two narrow ones: if vv became w, vvv could be wv or vw. `cl` does not become d,
// because i and l are alike already, and `ci` does not.
const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  i: 'l',
  '5': 's',
  m: 'rn',
  w: 'vv',
  '-': '',
}
// The hyphen comes last, so that it is literal.
const alike = new RegExp(`[${Object.keys(lookalikes).join('')}]`, 'g')

/**
 * What a handle and its look-alikes have in common. Kept next to it as a unique key, which refuses the
 * second of them. Only for comparing, never for showing; may be longer than a handle.
 */
export function skeletonOf(handle: string): string {
  return handle.replace(alike, (character) => lookalikes[character] ?? character)
}

// Those who speak for the service or its operators, words that address everyone, words shown in place
// of an author, and words of the addresses.
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

// Digits that spell letters. z33 and zee need not be told apart, but a reserved name is refused in
// every spelling.
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
 * Whether no member may have it: a reserved name, several in a row (`abode-support`), what could be
 * mistaken for one (`m0derat0r`), or one that ends in a number (`admin-2`).
 */
export function isReserved(handle: string): boolean {
  const unnumbered = handle.replace(/(?<=[a-z])-*[0-9]+-*$/, '')
  return [handle, unnumbered].some((name) => {
    const skeleton = skeletonOf(name)
    const letters = skeleton.replace(/[0-9]/g, (digit) => spelled[digit] ?? digit)
    return reservedWhole.test(skeleton) || reservedWhole.test(letters)
  })
}

/**
 * A handle for a member that sent none, such as `quiet-otter-1f09ac`; in the rare case that it is
 * taken, make another.
 */
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
 * The handle of an agent: its id where that is a handle which no other agent can have, else a readable
 * form of its id and a hash of it. The same agent always has the same one, two agents share one only
 * if 32-bit hashes collide, and it is never reserved. If it is taken all the same, ask with `attempt`
 * 1, 2 and so on.
 */
export function handleOfAgent(charId: string, attempt = 0): string {
  // An id that ends like a hashed handle is hashed too: it could be the handle of another agent.
  const isOwn = form.test(charId) && !hashed.test(charId) && !isReserved(charId)
  if (isOwn && attempt === 0) return charId
  // No id contains a line break, so an id with an attempt never equals another id.
  const seed = attempt === 0 ? charId : `${charId}\n${attempt}`
  return `${readableOf(charId)}-${hash('sha256', seed, 'hex').slice(0, hashDigits)}`
}

/**
 * A handle that reads like the id of an agent whose own handles are taken. It is random, so it cannot
 * be taken in advance.
 */
export function drawnHandleOf(charId: string): string {
  return `${readableOf(charId)}-${randomHex(hashDigits / 2)}`
}

/** A readable form of an id, with room for a hash after it. */
function readableOf(charId: string): string {
  const slug = charId.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return (isReserved(slug) ? `agent-${slug}` : slug)
    .slice(0, charactersAtMost - hashDigits - 1)
    .replace(/-$/, '')
}
