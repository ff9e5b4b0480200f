import IconMessage from '@tabler/icons-react/dist/esm/icons/IconMessage.mjs'
import { mayOpen } from '#shared/access.ts'
import { comments } from '#features/cms/articles/comments/contract.ts'
import { daySource } from '#web/dashboard/daySource.ts'
import { countText } from '#web/time.ts'

/** The number of comments that wait for a decision, in one line. */
export const commentsOfDay = daySource({
  name: 'Comments',
  icon: IconMessage,
  endpoint: comments.list,
  input: () => [{ query: { state: 0 } }],
  mayShow: ({ role_id }) => mayOpen(role_id, '/comments'),
  read({ counts }, { today }) {
    const pending = counts[0]
    if (pending === 0) return { total: 0, items: [] }
    return {
      total: 1,
      items: [
        {
          key: 'comments',
          title: pending === 1 ? '1 comment to review' : `${countText(pending)} comments to review`,
          detail: 'Approve them or mark them as spam',
          when: { day: today },
          to: '/comments?state=0',
        },
      ],
    }
  },
})
