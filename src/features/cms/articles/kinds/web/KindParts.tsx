import type { ComponentType } from 'react'
import { articleKindRow, type ArticleKindName, type ArticlePart } from '#shared/article-kinds.ts'
import { offeredZones } from '#shared/zones.ts'
import type { kindFields } from '#features/cms/articles/kinds/fields.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import { Field } from '#web/form/Field.tsx'
import { DayField } from '#web/form/inputs.tsx'
import type { RecordForm } from '#web/form/useRecordForm.tsx'
import { browserTimeZone } from '#web/time.ts'

type Form = RecordForm<typeof kindFields>

const partFields: Record<ArticlePart, ComponentType<{ form: Form }>> = { time: TimeFields, pdf: PdfField }

/** Fields for the parts that a kind has in addition to the common fields. */
export function KindParts({ kind, form }: { kind: ArticleKindName; form: Form }) {
  return articleKindRow(kind).parts?.map((part) => {
    const Fields = partFields[part]
    return <Fields key={part} form={form} />
  })
}

function TimeFields({ form }: { form: Form }) {
  const zones = [...new Set([form.fields.values.zone, browserTimeZone(), ...offeredZones])].filter(Boolean)
  const moment = (name: 'starts' | 'ends') => (
    <div data-half>
      <DayField {...form.at(name)} time />
    </div>
  )
  return (
    <>
      {moment('starts')}
      {moment('ends')}
      <Field
        form={form}
        name="zone"
        half
        options={[
          { value: '', label: 'Choose a time zone' },
          ...zones.map((zone) => ({ value: zone, label: zone })),
        ]}
      />
      <Field form={form} name="place" half singleLine />
    </>
  )
}

function PdfField({ form }: { form: Form }) {
  return (
    <FilesField
      {...form.control('pdf_ids')}
      label="PDF"
      most={1}
      kinds={['document']}
      description="A new file replaces the old one. The URL stays the same."
    />
  )
}
