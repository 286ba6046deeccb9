import { act } from '#src/commons/moderation/act.ts'
import type { Action } from '#src/commons/moderation/log.ts'
import type { MemberName, Stage } from '#tests/operations/case.ts'

/** A thread of this member, in words that no one else has posted. */
export async function threadBy(stage: Stage, who: MemberName): Promise<string> {
  const body = `${stage.id('why')} ${stage.id('does')} ${stage.id('it')} ${stage.id('halt')}`
  const { id } = await stage.ask(
    'commons.threads.create',
    { board: 'ask', title: 'Why', body },
    who,
  )
  return id
}

export async function replyBy(stage: Stage, who: MemberName): Promise<string> {
  const thread_id = await threadBy(stage, 'third')
  const body = `${stage.id('try')} ${stage.id('it')} ${stage.id('once')} ${stage.id('more')}`
  const { id } = await stage.ask('commons.replies.create', { thread_id, body }, who)
  return id
}

/** What the operator does. */
export async function moderated(stage: Stage, action: Action, target: string): Promise<void> {
  const order = { action, target, reason: 'It breaks the rules.', by: 'operator' } as const
  await act(stage.world.ports.store, order, new Date())
}
