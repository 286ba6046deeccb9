import { connectionPurposes } from '#src/agents/connections/connection.ts'
import { serverKeySeal } from '#src/events/browsers/server-key.ts'
import { browserSeal } from '#src/events/browsers/subscription.ts'
import type { Store } from '#src/ports/store.ts'

/** A text that is sealed under the master key, bound to the document that holds it. */
export interface SealedText {
  id: string
  sealed: string
}

/** A member of a collection's documents that holds sealed texts. */
export interface SealedPlace {
  collection:
    | 'characters'
    | 'secrets'
    | 'tasks'
    | 'app_revisions'
    | 'deliveries'
    | 'push_targets'
    | 'chats'
    | 'commons_webhooks'
    | 'notification_settings'
    | 'outbound_connections'
    | 'mails'
    | 'mail_links'
    | 'second_factors'
    | 'push_subscriptions'
    | 'meta'
  /** The purpose they are sealed for, as in the code that seals them. */
  purpose: string
  /** The next of them, in order of the ids of their documents. */
  next: (store: Store, after: string, limit: number) => Promise<unknown[][]>
  /** Replaces the text with another; false if it had changed in the meantime. */
  swap: (store: Store, text: SealedText, sealed: string) => Promise<boolean>
}

const inOrder = { id: 1 } as const

/**
 * Everything that is sealed under the master key itself. This excludes what is sealed under a caller's
 * token (claims, kept answers) and what is only derived from the key (signatures, ids).
 */
export const sealedPlaces: readonly SealedPlace[] = [
  {
    collection: 'characters',
    purpose: 'settings_secrets',
    next: ({ characters }, after, limit) =>
      characters.pick(
        ['id', 'settings_secrets'],
        { id: { $gt: after }, settings_secrets: { $ne: null } },
        { sort: inOrder, limit },
      ),
    swap: async ({ characters }, { id, sealed }, settings_secrets) => {
      const standing = { id, settings_secrets: sealed }
      return (await characters.update(standing, { $set: { settings_secrets } })) !== undefined
    },
  },
  {
    collection: 'secrets',
    purpose: 'secrets_key',
    next: ({ secrets }, after, limit) =>
      secrets.pick(['id', 'data_key'], { id: { $gt: after } }, { sort: inOrder, limit }),
    swap: async ({ secrets }, { id, sealed }, data_key) =>
      (await secrets.update({ id, data_key: sealed }, { $set: { data_key } })) !== undefined,
  },
  {
    collection: 'tasks',
    purpose: 'trigger_secrets',
    next: ({ tasks }, after, limit) =>
      tasks.pick(
        ['id', 'trigger_secrets'],
        { id: { $gt: after }, trigger_secrets: { $ne: null } },
        { sort: inOrder, limit },
      ),
    swap: async ({ tasks }, { id, sealed }, trigger_secrets) => {
      const standing = { id, trigger_secrets: sealed }
      return (await tasks.update(standing, { $set: { trigger_secrets } })) !== undefined
    },
  },
  {
    collection: 'app_revisions',
    purpose: 'manifest_secrets',
    next: ({ app_revisions }, after, limit) =>
      app_revisions.pick(
        ['id', 'secrets'],
        { id: { $gt: after }, secrets: { $ne: null } },
        { sort: inOrder, limit },
      ),
    swap: async ({ app_revisions }, { id, sealed }, secrets) =>
      (await app_revisions.update({ id, secrets: sealed }, { $set: { secrets } })) !== undefined,
  },
  {
    collection: 'deliveries',
    purpose: 'delivery_secret',
    next: ({ deliveries }, after, limit) =>
      deliveries.pick(
        ['id', 'sealed_secret'],
        { id: { $gt: after }, sealed_secret: { $ne: null } },
        { sort: inOrder, limit },
      ),
    swap: async ({ deliveries }, { id, sealed }, sealed_secret) => {
      const standing = { id, sealed_secret: sealed }
      return (await deliveries.update(standing, { $set: { sealed_secret } })) !== undefined
    },
  },
  {
    collection: 'push_targets',
    purpose: 'push_target',
    next: ({ push_targets }, after, limit) =>
      push_targets.pick(
        ['id', 'sealed'],
        { id: { $gt: after }, sealed: { $ne: null } },
        { sort: inOrder, limit },
      ),
    swap: async ({ push_targets }, { id, sealed }, next) =>
      (await push_targets.update({ id, sealed }, { $set: { sealed: next } })) !== undefined,
  },
  {
    collection: 'chats',
    purpose: 'channel_answer',
    next: ({ chats }, after, limit) =>
      chats.pick(
        ['id', 'sealed_answer'],
        { id: { $gt: after }, sealed_answer: { $exists: true } },
        { sort: inOrder, limit },
      ),
    swap: async ({ chats }, { id, sealed }, sealed_answer) =>
      (await chats.update({ id, sealed_answer: sealed }, { $set: { sealed_answer } })) !==
      undefined,
  },
  {
    collection: 'commons_webhooks',
    purpose: 'commons_webhook_secret',
    next: ({ commons_webhooks }, after, limit) =>
      commons_webhooks.pick(
        ['id', 'sealed_secret'],
        { id: { $gt: after } },
        { sort: inOrder, limit },
      ),
    swap: async ({ commons_webhooks }, { id, sealed }, sealed_secret) => {
      const standing = { id, sealed_secret: sealed }
      return (await commons_webhooks.update(standing, { $set: { sealed_secret } })) !== undefined
    },
  },
  {
    collection: 'notification_settings',
    purpose: 'news_webhook_secret',
    next: ({ notification_settings }, after, limit) =>
      notification_settings.pick(
        ['id', 'sealed_secret'],
        { id: { $gt: after }, sealed_secret: { $exists: true } },
        { sort: inOrder, limit },
      ),
    swap: async ({ notification_settings }, { id, sealed }, sealed_secret) => {
      const standing = { id, sealed_secret: sealed }
      return (
        (await notification_settings.update(standing, { $set: { sealed_secret } })) !== undefined
      )
    },
  },
  {
    collection: 'mails',
    purpose: 'mail',
    next: ({ mails }, after, limit) =>
      mails.pick(
        ['id', 'sealed'],
        { id: { $gt: after }, sealed: { $ne: null } },
        { sort: inOrder, limit },
      ),
    swap: async ({ mails }, { id, sealed }, next) =>
      (await mails.update({ id, sealed }, { $set: { sealed: next } })) !== undefined,
  },
  {
    collection: 'mail_links',
    purpose: 'mail_link',
    next: ({ mail_links }, after, limit) =>
      mail_links.pick(
        ['id', 'sealed'],
        { id: { $gt: after }, sealed: { $exists: true } },
        { sort: inOrder, limit },
      ),
    swap: async ({ mail_links }, { id, sealed }, next) =>
      (await mail_links.update({ id, sealed }, { $set: { sealed: next } })) !== undefined,
  },
  {
    collection: 'second_factors',
    purpose: 'second_factor',
    next: ({ second_factors }, after, limit) =>
      second_factors.pick(['id', 'sealed'], { id: { $gt: after } }, { sort: inOrder, limit }),
    swap: async ({ second_factors }, { id, sealed }, next) =>
      (await second_factors.update({ id, sealed }, { $set: { sealed: next } })) !== undefined,
  },
  {
    collection: 'push_subscriptions',
    purpose: browserSeal('').purpose,
    next: ({ push_subscriptions }, after, limit) =>
      push_subscriptions.pick(['id', 'sealed'], { id: { $gt: after } }, { sort: inOrder, limit }),
    swap: async ({ push_subscriptions }, { id, sealed }, next) =>
      (await push_subscriptions.update({ id, sealed }, { $set: { sealed: next } })) !== undefined,
  },
  {
    collection: 'meta',
    purpose: serverKeySeal.purpose,
    next: ({ meta }, after, limit) =>
      meta.pick(
        ['id', 'value'],
        { id: { $gt: after, $in: [serverKeySeal.id] } },
        { sort: inOrder, limit },
      ),
    swap: async ({ meta }, { id, sealed }, value) =>
      (await meta.update({ id, value: sealed }, { $set: { value } })) !== undefined,
  },
  {
    collection: 'outbound_connections',
    purpose: connectionPurposes.grant,
    next: ({ outbound_connections }, after, limit) =>
      outbound_connections.pick(
        ['id', 'sealed_grant'],
        { id: { $gt: after }, sealed_grant: { $ne: null } },
        { sort: inOrder, limit },
      ),
    swap: async ({ outbound_connections }, { id, sealed }, sealed_grant) => {
      const standing = { id, sealed_grant: sealed }
      return (await outbound_connections.update(standing, { $set: { sealed_grant } })) !== undefined
    },
  },
  {
    collection: 'outbound_connections',
    purpose: connectionPurposes.attempt,
    next: ({ outbound_connections }, after, limit) =>
      outbound_connections.pick(
        ['id', 'sealed_attempt'],
        { id: { $gt: after }, sealed_attempt: { $ne: null } },
        { sort: inOrder, limit },
      ),
    swap: async ({ outbound_connections }, { id, sealed }, sealed_attempt) => {
      const standing = { id, sealed_attempt: sealed }
      return (
        (await outbound_connections.update(standing, { $set: { sealed_attempt } })) !== undefined
      )
    },
  },
]
