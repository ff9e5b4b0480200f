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
import { Head } from '#web/parts/Head.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { toast } from '#web/message/toast.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { fullTime } from '#web/time.ts'

/** Dialog with an image, its alt text, and where it is used. */
export function MediaDialog({ medium, onClose }: { medium: Medium; onClose: () => void }) {
  const params = { id: medium.id }
  const { send } = useSend(media.describe, { failure: 'throw' })
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
    <FormModal
      title={medium.file.name}
      form={form}
      onClose={onClose}
      whyNotSave={whyNotSave}
      side="right"
      size={420}
    >
      <img className={classes.whole} src={medium.file.url} alt={medium.alt} />
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
        <Head>
          <h3>Used in</h3>
        </Head>
        {medium.places.length === 0 ? (
          <Soft>Not used anywhere. You can delete it.</Soft>
        ) : (
          <ul className={classes.uses}>
            {medium.places.map(({ type, id, role, name, address }) => (
              <li key={`${type}-${id}-${role}`}>
                {address ? <PageLink to={address}>{name}</PageLink> : <span>{name}</span>}
                <Soft as="span" small>
                  {isRecordType(type) ? recordTypes[type].one : type},{' '}
                  {role === 'inline' ? 'in content' : role}
                </Soft>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section aria-label="File">
        <Head>
          <h3>File</h3>
        </Head>
        <dl className={classes.facts}>
          <dt>Size</dt>
          <dd>
            {medium.width} × {medium.height} px, {sizeInWords(medium.file.bytes)}
          </dd>
          <dt>Uploaded</dt>
          <dd>{fullTime(medium.created_at)}</dd>
          <dt>Original</dt>
          <dd>
            <a href={medium.file.download_url}>Download</a>
          </dd>
        </dl>
      </section>
    </FormModal>
  )
}
