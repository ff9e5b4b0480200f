import { TagName, tags, type Tag } from '#features/cms/articles/tags/contract.ts'
import { tagFields } from '#features/cms/articles/tags/fields.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { useUndo } from '#web/record/useUndo.ts'

/** Form for renaming a tag. */
export default function TagForm({ tag, onClose }: { tag: Tag; onClose: () => void }) {
  const { announceAct } = useUndo()
  const { send } = useSend(tags.update, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(tags.update, {
    params: { slug: String(tag.id) },
    body: { name: tag.name },
  })
  const form = useFieldsForm({
    name: `tag-${tag.id}`,
    fields: tagFields,
    initial: { name: tag.name },
    schema: TagName,
    onSave: async (values) => {
      const reply = await send({ params: { slug: String(tag.id) }, body: values })
      if (reply) announceAct(reply.message, reply.operation)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={`Rename ${tag.name}`} form={form} onClose={onClose} whyNotSave={whyNotSave}>
      <Field form={form} name="name" autoFocus />
    </FormModal>
  )
}
