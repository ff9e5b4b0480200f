import type { ComponentType } from 'react'
import { articleKindRow, type ArticleKindName, type ArticlePart } from '#shared/article-kinds.ts'
import { offeredZones } from '#shared/zones.ts'
import { kindFields } from '#features/cms/articles/kinds/fields.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import type { FieldValues } from '#web/form/fieldValues.ts'
import { ChoiceField, DayField, TextField } from '#web/form/inputs.tsx'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { browserTimeZone } from '#web/time.ts'

/** Form values; only the parts that the kind has are shown. */
export type KindValues = FieldValues<typeof kindFields>

type Form = DraftForm<KindValues>

const partFields: Record<ArticlePart, ComponentType<{ form: Form }>> = { time: TimeFields, pdf: PdfField }

/** Fields for the parts that a kind has in addition to the common fields. */
export function KindParts({ kind, form }: { kind: ArticleKindName; form: Form }) {
  return articleKindRow(kind).parts?.map((part) => {
    const Fields = partFields[part]
    return <Fields key={part} form={form} />
  })
}

function TimeFields({ form: { fields } }: { form: Form }) {
  const zones = [...new Set([fields.values.zone, browserTimeZone(), ...offeredZones])].filter(Boolean)
  const moment = (name: 'starts' | 'ends') => (
    <div data-half>
      <DayField form={fields} name={name} label={kindFields[name].label} time />
    </div>
  )
  return (
    <>
      {moment('starts')}
      {moment('ends')}
      <div data-half>
        <ChoiceField
          form={fields}
          name="zone"
          label={kindFields.zone.label}
          options={[
            { value: '', label: 'Choose a time zone' },
            ...zones.map((zone) => ({ value: zone, label: zone })),
          ]}
        />
      </div>
      <div data-half>
        <TextField form={fields} name="place" label={kindFields.place.label} maxLength={500} />
      </div>
    </>
  )
}

function PdfField({ form: { fields } }: { form: Form }) {
  return (
    <FilesField
      label="PDF"
      most={1}
      kinds={['document']}
      description="A new file replaces the old one. The URL stays the same."
      {...fields.getInputProps('pdf_ids')}
    />
  )
}
