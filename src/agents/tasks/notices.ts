import { cureOf } from '../cures.ts'
import { hasBytes } from '#src/core/credentials/signature-key.ts'
import { nearest, newEffort } from '#src/core/input/nearest.ts'
import type { UnknownMember } from '#src/core/input/unknown-members.ts'
import type { Warning } from '#src/core/schema.ts'
import { atOnce, type Steps } from '#src/core/turns/portions.ts'
import { pointerStep } from '#src/core/text/text.ts'

/** A warning with its pointer and a suggestion of what was probably meant. */
export interface Notice extends Warning {
  pointer: string
  suggestion?: string
}

/** Why the guarded fetch would refuse an address, in words; undefined if it would not. */
export type Objection = (url: string) => string | undefined

/** A document of 200,000 unknown words must cost neither their comparison nor an equally long answer. */
export const noticesAtMost = 1000

/** As many known words are listed for one that is not. */
const listedAtMost = 12

/** Collects warnings about accepted input that may not do what was meant, by pointer, up to a thousand. */
export class Notices {
  readonly all: Notice[] = []
  readonly #objection: Objection
  readonly #effort = newEffort()

  constructor(objection: Objection) {
    this.#objection = objection
  }

  /** Whether the bound is reached, so that no more are added. */
  get isFull(): boolean {
    return this.all.length >= noticesAtMost
  }

  /** The known word that was probably meant, while the budget for comparisons lasts. */
  suggest(word: string, known: Iterable<string>): string | undefined {
    return nearest(word, known, this.#effort)
  }

  add(code: string, pointer: string, message: string, suggestion?: string): void {
    if (this.isFull) return
    if (suggestion === undefined) {
      this.all.push({ code, pointer, message })
      return
    }
    const meant = message.endsWith('.') ? ' Did you mean' : ': did you mean'
    this.all.push({ code, pointer, message: `${message}${meant} "${suggestion}"?`, suggestion })
  }

  /** Notes a free text that is unknown here. @param effect what becomes of it */
  unless(known: readonly string[], value: unknown, pointer: string, effect = 'it is kept'): void {
    if (typeof value !== 'string' || value === '' || known.includes(value)) return
    if (this.isFull) return
    const there = known.length <= listedAtMost ? ` Known are ${known.join(', ')}.` : ''
    const message = `"${value.slice(0, 100)}" is not known here: ${effect}.${there}`
    this.add('unknown_value', pointer, message, this.suggest(value, known))
  }

  /** Notes an address that the guarded fetch would refuse. */
  address(url: unknown, pointer: string): void {
    // An address with placeholders can only be judged when it is called.
    if (typeof url !== 'string' || url === '' || url.includes('{{') || this.isFull) return
    const reason = this.#objection(url)
    if (reason === undefined) return
    this.add('address_refused', pointer, `This address will not be reached. ${reason}`)
  }

  /** Notes a secret of what is sent under which anyone could sign. */
  signedByAnyone(secret: unknown, pointer: string): void {
    if (typeof secret !== 'string' || hasBytes(secret)) return
    this.add(
      'secret_empty',
      pointer,
      'This secret has no bytes: anyone could sign as this service.',
    )
  }

  /** Notes every item of a list of addresses. */
  addresses(urls: readonly string[], pointer: string): void {
    for (const [i, url] of urls.entries()) this.address(url, `${pointer}/${i}`)
  }

  /**
   * Notes members that are kept and that nothing acts on, with where they belong.
   * @param except names that only the platform sets, which are told otherwise, by the id of the schema
   */
  unacted(
    unknown: Iterable<UnknownMember>,
    except: Readonly<Record<string, readonly string[]>> = {},
  ): void {
    atOnce(this.unactedSteps(unknown, except))
  }

  /** The same in steps. */
  *unactedSteps(
    unknown: Iterable<UnknownMember>,
    except: Readonly<Record<string, readonly string[]>> = {},
  ): Steps<void> {
    for (const { pointer, name, of } of unknown) {
      if (this.isFull) return
      yield
      if (except[of.id]?.includes(name)) continue
      const cure = cureOf(of.id, name) ?? this.suggest(name, of.members.keys())
      const message = `"${name.slice(0, 100)}" is kept, and nothing acts on it.`
      this.add('unknown_member', pointer, message, cure)
    }
  }

  /** Notes members that only the platform sets, unless they have the platform's values. */
  ignored(
    names: readonly string[],
    sent: Readonly<Record<string, unknown>>,
    kept: Readonly<Record<string, unknown>> | undefined,
    pointer: string,
  ): void {
    for (const name of names) {
      if (!Object.hasOwn(sent, name) || (kept && sent[name] === kept[name])) continue
      this.ignore(pointer + pointerStep(name))
    }
  }

  /** Notes one ignored member. */
  ignore(pointer: string): void {
    this.add('member_ignored', pointer, 'Only the platform sets this member; it was ignored.')
  }
}
