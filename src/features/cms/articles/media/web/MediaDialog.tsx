import { Checkbox } from '@mantine/core'
import { Description, media, type Medium } from '#features/cms/articles/media/contract.ts'
import { isRecordType, recordTypes } from '#shared/records.ts'
import classes from '#features/cms/articles/media/web/media.module.css'
import { useSend } from '#web/api/useSend.ts'
import { sizeInWords } from '#web/files/sizeInWords.ts'
import { TextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { toast } from '#web/message/toast.ts'

/** Dialog with an image, its alt text, and where it is used. */
export function MediaDialog({ medium, onClose }: { medium: Medium; onClose: () => void }) {
  const params = { id: medium.id }
  const { send } = useSend(media.describe, { refresh: [media.list], failure: 'throw' })
  const whyNotSave = useWhyNotSave(media.describe, { params, body: { alt: '' } })
  const form = useDraftForm({
    name: `media-${medium.id}`,
    initial: { alt: medium.alt, decorative: medium.decorative },
    schema: Description,
    onSave: async (values) => {
      const reply = await send({ params, body: values })
      if (reply) toast.success(reply.message)
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={medium.file.name} form={form} onClose={onClose} whyNotSave={whyNotSave} size="lg">
      <img className={classes.whole} src={medium.file.url} alt={medium.alt} />
      <p className={classes.soft}>
        {medium.width} × {medium.height} · {sizeInWords(medium.file.bytes)} ·{' '}
        <a href={medium.file.download_url}>Download</a>
      </p>
      <TextField
        form={form.fields}
        name="alt"
        label="Alt text"
        maxLength={500}
        description="Describe the image for people who can’t see it."
      />
      <Checkbox
        size="xs"
        label="Decorative (no alt text needed)"
        {...form.fields.getInputProps('decorative', { type: 'checkbox' })}
      />
      <section aria-label="Used in">
        <strong>Used in</strong>
        {medium.places.length === 0 ? (
          <p className={classes.soft}>Not used anywhere. You can delete it.</p>
        ) : (
          <ul>
            {medium.places.map(({ type, id, role, name, address }) => (
              <li key={`${type}-${id}-${role}`}>
                {address ? <PageLink to={address}>{name}</PageLink> : name} (
                {isRecordType(type) ? recordTypes[type].one : type}, {role === 'inline' ? 'in content' : role}
                )
              </li>
            ))}
          </ul>
        )}
      </section>
    </FormModal>
  )
}
