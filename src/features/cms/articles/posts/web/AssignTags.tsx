import { Box } from '@mantine/core'
import { posts, PostTags, type Post } from '#features/cms/articles/posts/contract.ts'
import { TagsField, withTyped } from '#features/cms/articles/posts/web/TagsField.tsx'
import { useSend } from '#web/api/useSend.ts'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { useUndo } from '#web/record/useUndo.ts'

type Values = { tags: string[]; tag: string }
const toSend = ({ tags, tag }: Values) => ({ tags: withTyped(tags, tag) })

/**
 * Form for a post's tags only, for admins and moderators of its category, who can't edit the post itself
 * (B §6).
 */
export default function AssignTags({ post, onClose }: { post: Post; onClose: () => void }) {
  const input = { params: { slug: String(post.id) }, query: { product_id: post.product_id } }
  const { announceAct } = useUndo()
  const { send } = useSend(posts.assignTags, {
    failure: 'throw',
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const whyNotSave = useWhyNotSave(posts.assignTags, { ...input, body: { tags: [] } })
  const form = useDraftForm<Values>({
    name: `post-tags-${post.id}`,
    initial: { tags: post.tags, tag: '' },
    schema: PostTags,
    toSend,
    onSave: (values) => send({ ...input, body: toSend(values) }),
    onSaved: onClose,
  })
  const { fields } = form
  return (
    <FormModal title={`Tags of ${post.title}`} form={form} onClose={onClose} whyNotSave={whyNotSave}>
      {/* Leaves room for the suggestions, which would otherwise cover the Save button. */}
      <Box mih={280}>
        <TagsField
          data-autofocus
          maxDropdownHeight={150}
          typed={fields.values.tag}
          onType={(tag) => fields.setFieldValue('tag', tag)}
          {...fields.getInputProps('tags')}
        />
      </Box>
    </FormModal>
  )
}
