import { useMemo, useState } from 'react'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { diffWordsWithSpace } from 'diff'
import classes from '#features/admin/mail-settings/web/templates.module.css'
import {
  mailTemplates,
  type Template,
  type Version,
} from '#features/admin/mail-settings/templates.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'
import { Moment } from '#web/Moment.tsx'
import { RightModal } from '#web/parts/RightModal.tsx'
import { Tone } from '#web/parts/Tone.tsx'

interface Props {
  template: Template
  /** The version that the form is based on. */
  version: number
  onClose: () => void
  onRestored: (template: Template) => void
}

/** The versions of a template, compared with the one in use. Any of them can be restored. */
export default function TemplateVersions({ template, version, onClose, onRestored }: Props) {
  const [compared, setCompared] = useState<number>()
  const { kind, product_id, id, versions } = template
  const { send, sending } = useSend(mailTemplates.restore, {
    onDone: ({ message, data }) => {
      toast.success(message)
      onRestored(data)
      onClose()
    },
  })
  const isCurrent = (one: Version) => one.version === template.version
  return (
    <RightModal title={`Versions of ${template.name}`} onClose={onClose}>
      <ul className={classes.versions}>
        {versions.map((one) => (
          <li key={one.version}>
            <div>
              <strong>{one.version === 0 ? 'Shipped' : `Version ${one.version}`}</strong>{' '}
              {isCurrent(one) && <Tone tone="green">In use</Tone>}
              <p>
                {one.note}
                {one.note && one.created_at && ' · '}
                {one.created_at && <Moment at={one.created_at} />}
                {one.who && ` · ${one.who}`}
              </p>
            </div>
            {!isCurrent(one) && (
              <span className={classes.versionActs}>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-expanded={compared === one.version}
                  onClick={() => setCompared(compared === one.version ? undefined : one.version)}
                >
                  Compare
                </Button>
                <Button
                  size="compact-xs"
                  variant="default"
                  loading={sending}
                  onClick={() =>
                    void send({ body: { kind, product_id, id, restored: one.version, version } })
                  }
                >
                  Restore
                </Button>
              </span>
            )}
            {compared === one.version && <Compared template={template} version={one.version} />}
          </li>
        ))}
      </ul>
    </RightModal>
  )
}

function Compared({ template, version }: { template: Template; version: number }) {
  const { kind, product_id, id } = template
  const query = useQuery(
    queryOptionsFor(mailTemplates.version, {
      query: { kind, product_id: product_id ?? undefined, id: id ?? undefined, version },
    }),
  )
  return (
    <Loaded query={query}>
      {({ data }) => (
        <div className={classes.compared}>
          <p className={classes.check}>From this version to the one in use:</p>
          <Difference label="Subject" from={data.subject} to={template.subject} />
          <Difference label="Text" from={linesOf(data.content)} to={linesOf(template.content)} />
        </div>
      )}
    </Loaded>
  )
}

function Difference({ label, from, to }: { label: string; from: string; to: string }) {
  const parts = useMemo(() => diffWordsWithSpace(from, to), [from, to])
  return (
    <div role="group" aria-label={label}>
      {parts.map(({ value, added, removed }, index) =>
        added ? (
          <ins key={index}>{value}</ins>
        ) : removed ? (
          <del key={index}>{value}</del>
        ) : (
          <span key={index}>{value}</span>
        ),
      )}
    </div>
  )
}

/** Returns the text of a template with a line per paragraph. */
function linesOf(content: string): string {
  const { body } = new DOMParser().parseFromString(
    content.replaceAll(/<br\s*\/?>|<\/(p|li|h\d|tr)>/g, (end) => `${end}\n`),
    'text/html',
  )
  return body.textContent.trim()
}
