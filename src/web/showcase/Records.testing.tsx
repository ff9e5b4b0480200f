import { useState } from 'react'
import { Button } from '@mantine/core'
import { z } from 'zod'
import IconCornerUpLeft from '@tabler/icons-react/dist/esm/icons/IconCornerUpLeft.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import { Initials } from '#web/Avatar.tsx'
import { Composer } from '#web/composer/Composer.tsx'
import { ComposerForm } from '#web/composer/ComposerForm.tsx'
import { ComposerText } from '#web/composer/ComposerText.tsx'
import { SplitButton } from '#web/composer/SplitButton.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { ErrorState } from '#web/list/states.tsx'
import { MenuItem } from '#web/parts/Menu.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { Facts } from '#web/record/Facts.tsx'
import { MoreMenu } from '#web/sheet/MoreMenu.tsx'
import { RailSection } from '#web/sheet/RailSection.tsx'
import { Sheet } from '#web/sheet/Sheet.tsx'
import { Part } from '#web/showcase/Part.testing.tsx'
import { hoursAgo, longName, longTitle } from '#web/showcase/samples.testing.ts'
import classes from '#web/showcase/showcase.module.css'
import type { StreamEntry } from '#web/stream/entries.ts'
import { LinkedText } from '#web/stream/LinkedText.tsx'
import { Stream } from '#web/stream/Stream.tsx'

const nothing = () => {}
const say = (text: string) => <LinkedText text={text} addressOf={() => '/support'} people={['Paula Weber']} />
const mail = <IconMail size={14} aria-hidden />

/** Returns a conversation; the prefix makes its IDs unique on the page. */
const conversation = (prefix: string): StreamEntry[] => [
  {
    id: `${prefix}-1`,
    kind: 'theirs',
    at: hoursAgo(75),
    who: longName,
    role: <Tone tone="gray">Requester</Tone>,
    avatar: <Initials name={longName} size={26} />,
    content: say(`${longTitle}.\n\n${'The counts differ each morning. '.repeat(60)}`),
  },
  {
    id: `${prefix}-2`,
    kind: 'event',
    at: hoursAgo(74),
    who: 'Email',
    icon: mail,
    content: 'sent to nora@aalto.example',
  },
  ...['Status', 'Assignee', 'Category', 'Organization'].map((name, at) => ({
    id: `${prefix}-change-${at}`,
    kind: 'change' as const,
    at: hoursAgo(73 - at / 10),
    who: 'Paula Weber',
    content: `changed ${name}`,
  })),
  {
    id: `${prefix}-3`,
    kind: 'note',
    at: hoursAgo(28),
    who: 'Tom Reed',
    avatar: <Initials name="Tom Reed" size={26} />,
    content: say('@Paula Weber, this looks like #145. See https://status.example/scanner'),
  },
  {
    id: `${prefix}-4`,
    kind: 'ours',
    at: hoursAgo(27),
    who: 'Paula Weber',
    avatar: <Initials name="Paula Weber" size={26} />,
    state: <Tone tone="red">Not delivered</Tone>,
    content: say('We found the cause. The fix arrives tonight.'),
  },
  {
    id: `${prefix}-5`,
    kind: 'theirs',
    at: hoursAgo(1),
    who: 'Nora Lindqvist',
    avatar: <Initials name="Nora Lindqvist" size={26} />,
    content: say('Thank you.'),
  },
]

function SampleStream({ prefix, isInPage }: { prefix: string; isInPage?: boolean }) {
  return (
    <Stream
      label={`Conversation ${prefix}`}
      entries={conversation(prefix)}
      unread={`${prefix}-5`}
      isInPage={isInPage ?? false}
      older={{ label: 'Show older messages (42)', isLoading: false, load: nothing }}
    />
  )
}

export const Streams = () => (
  <Part title="Stream">
    <div className={classes.framed} data-stream>
      <SampleStream prefix="page" isInPage />
    </div>
    <h3>failed</h3>
    <div className={classes.framed}>
      <ErrorState error={undefined} what="Messages" onRetry={nothing} />
    </div>
  </Part>
)

const schema = z.object({ message: z.string().min(1, 'Enter a message.') })

/** @param failure the error of a save that failed */
function Writing({ name, failure }: { name: string; failure?: string }) {
  const form = useDraftForm({
    name: `showcase-${name}`,
    initial: { message: '' },
    schema,
    onSave: async () => {},
  })
  return (
    <ComposerForm
      label={name}
      form={{ ...form, failure: form.failure ?? failure }}
      acts={
        <SplitButton label="Send" menuLabel={`More ways to send: ${name}`} loading={form.saving}>
          <MenuItem onClick={nothing}>Send and next</MenuItem>
          <MenuItem onClick={nothing}>Send and set Waiting on customer</MenuItem>
        </SplitButton>
      }
    >
      <ComposerText
        label={`Message: ${name}`}
        placeholder="Write a reply…"
        onFiles={nothing}
        {...form.fields.getInputProps('message')}
      />
    </ComposerForm>
  )
}

interface ComposerProps {
  name: string
  first?: 'reply' | 'note'
  to?: string
  failure?: string
}

function SampleComposer({ name, first = 'reply', to = 'To nora@aalto.example', failure }: ComposerProps) {
  const [tab, setTab] = useState<string>(first)
  return (
    <Composer
      label={`Write: ${name}`}
      chosen={tab}
      onChoose={setTab}
      tabs={[
        {
          id: 'reply',
          label: 'Reply',
          letter: 'r',
          icon: <IconCornerUpLeft size={14} stroke={1.75} aria-hidden />,
          to,
          content: <Writing name={`Reply ${name}`} {...(failure && { failure })} />,
        },
        {
          id: 'note',
          label: 'Internal note',
          letter: 'n',
          isInternal: true,
          icon: <IconLock size={14} stroke={1.75} aria-hidden />,
          content: <Writing name={`Note ${name}`} />,
        },
      ]}
    />
  )
}

export const Composers = () => (
  <Part title="Composer">
    <SampleComposer name="empty" />
    <h3>internal note</h3>
    <SampleComposer name="internal" first="note" />
    <h3>failed, to a long name</h3>
    <SampleComposer
      name="failed"
      to={`To ${longName}`}
      failure="Can’t reach the server. Check your connection and try again."
    />
  </Part>
)

export const Sheets = () => (
  <Part title="Sheet">
    <div className={`${classes.framed} ${classes.window}`}>
      <Sheet
        head={
          <PageHeader number={145} title={longTitle} parents={[['/support', 'Tickets']]}>
            <Button>Close ticket</Button>
            <MoreMenu>
              <MenuItem onClick={nothing}>Print</MenuItem>
            </MoreMenu>
          </PageHeader>
        }
        summary={
          <>
            <Tone tone="blue">Open</Tone>
            <span>{longName}</span>
          </>
        }
        rail={
          <>
            <RailSection title="Status" isTitleHidden>
              <Tone tone="blue">Open</Tone>
            </RailSection>
            <Facts
              title="Details"
              facts={[
                { name: 'Organization', value: longName },
                {
                  name: 'Due date',
                  value: '18 Nov 2026',
                  edit: { kind: 'day', value: '2026-11-18', save: async () => {} },
                },
                { name: 'Category', value: null },
              ]}
            />
            <RailSection title="Tasks">No tasks yet.</RailSection>
          </>
        }
      >
        <SampleStream prefix="sheet" />
        <SampleComposer name="sheet" />
      </Sheet>
    </div>
  </Part>
)
