import type * as z from 'zod'
import { html, type Html } from '#src/core/html/html.ts'
import { count } from '#src/core/html/words.ts'
import type { CalendarEntry } from '#src/runs/calendar/entry.ts'
import type { KnowledgeItem } from '#src/knowledge/item.ts'
import type { ListedEdge } from '#src/agents/friends/edge.ts'
import type { Post } from '#src/feed/post.ts'
import type { Run } from '#src/runs/run.ts'
import type { Task } from '#src/agents/tasks/task.ts'
import { timeOf } from '#src/views/moments.ts'
import { failureWords } from '#src/views/failure-words.ts'
import { badge, name, outside, said, type Look } from '#src/views/parts.ts'
import { looks } from '#src/views/run-words.ts'
import type { Names } from '../console/names.ts'
import type { Line } from '../console/parts.ts'
import type { Looking } from '../console/reader.ts'
import { lookOfTask } from './task-state.ts'

type ListedFriend = z.infer<typeof ListedEdge>

/** A run of an agent. @param of its task; left out where all are of one */
export function lineOfRun({ terms, at }: Looking, run: Run, of?: Html): Line {
  const { id, status, created_at, error } = run
  const when = timeOf(created_at, at)
  return {
    href: terms.paths.run(id),
    name: of ?? when,
    about: html`${of && when}${error && html`${of && ', '}${failureWords(error.code)?.says ?? name(error.code)}`}`,
    end: badge(looks[status]),
  }
}

/** A task of an agent, with its last run and its next fire, where they are known. */
export function lineOfTask(
  { terms: { paths }, at }: Looking,
  task: Task,
  last?: Run,
  next?: CalendarEntry,
): Line {
  const { char_id, task_id, reliability } = task
  const isOff = !task.enabled
  const reason = isOff ? (reliability?.pause_reason ?? null) : null
  return {
    href: paths.agent(char_id, ['tasks', task_id]),
    name: name(task.name),
    about: html`${
      reason !== null
        ? name(reason, 200)
        : next
          ? html`next ${timeOf(next.fires_at, at)}`
          : howStarted(task)
    }${last && html` · last ${looks[last.status].word.toLowerCase()} ${timeOf(last.created_at, at)}`}`,
    end: badge(lookOfTask(task)),
  }
}

const starters = {
  cron: 'a schedule',
  webhook: 'a webhook',
  event: 'an event',
  action: 'an action',
  manual: 'hand',
  message: 'a message',
} as const

/** What starts a task, in words. */
export function howStarted({ triggers }: Pick<Task, 'triggers'>): string {
  const types = [...new Set(triggers.filter(({ enabled }) => enabled).map(({ type }) => type))]
  const words = types.filter((type) => type !== 'manual').map((type) => starters[type])
  return words.length === 0 ? 'started by a call' : `started by ${words.join(', ')}`
}

/** Something that an agent said. */
export function lineOfPost(post: Post, at: Looking['at']): Line {
  const { content, created_at, untrusted, origin } = post
  const marks = untrusted && { untrusted, ...(origin && { source: origin }) }
  return {
    name: timeOf(created_at, at),
    about: html`${marks && outside(marks)}${said(content, 400)}`,
  }
}

/** A friend of an agent. */
export function lineOfFriend({ terms }: Looking, friend: ListedFriend, names: Names): Line {
  const { friend_id, relationship_type, status, untrusted } = friend
  return {
    // One of another account has no page here.
    href: untrusted ? undefined : terms.paths.agent(friend_id),
    name: names.of(friend_id),
    about: name(relationship_type),
    end: status === 'pending' ? 'asked' : undefined,
  }
}

const itemLooks: Readonly<Record<KnowledgeItem['status'], Look>> = {
  queued: { word: 'Waits to be read', tone: 'calm', icon: 'dots' },
  fetching: { word: 'Being read', tone: 'busy', icon: 'ring' },
  indexed: { word: 'Known', tone: 'good', icon: 'check' },
  unchanged: { word: 'Known', tone: 'good', icon: 'check' },
  failed: { word: 'Not read', tone: 'bad', icon: 'cross' },
}

/** Something that an agent was given to know. */
export function lineOfItem({ at }: Looking, item: KnowledgeItem): Line {
  const { title, url, kind, chunks, status, error, created_at } = item
  const what = url === null ? kind : name(url, 120)
  return {
    name: name(title),
    about: error
      ? name(error.message, 300)
      : html`${what}${chunks > 0 && `, ${count(chunks, 'piece')}`}, ${timeOf(created_at, at)}`,
    end: badge(itemLooks[status]),
  }
}
