import { policies, whyNot } from '#features/cms/articles/rules.ts'
import type { Comment } from '#features/cms/articles/comments/contract.ts'
import { useViewer } from '#web/session.ts'

export const stateTones = { 0: 'yellow', 1: 'green', 2: 'red' } as const

/** Returns why the viewer cannot change a comment, naming who can. */
export const useWhyNotComment = ({ user_id, post, moderated }: Comment) =>
  whyNot(policies.comment.remove, useViewer(), { owner_id: user_id, author_id: post.author_id, moderated })
