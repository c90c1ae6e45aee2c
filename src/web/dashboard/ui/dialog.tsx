/** A dialog that is open while its component is mounted. Only its content scrolls: nothing lies below its buttons. */

import commonTexts from 'texts:common';
import { Group, Modal, type ModalRootProps } from '@mantine/core';
import { type ReactNode, type SubmitEventHandler, useEffect, useRef, useState } from 'react';
import { useTexts } from '../texts/texts.ts';
import classes from './dialog.module.css';

interface FrameProps extends Pick<ModalRootProps, 'onExitTransitionEnd' | 'returnFocus' | 'zIndex'> {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly size?: 'md' | 'lg' | 'xl';
  /** `false`: it closes, and keeps its content until it is gone. */
  readonly opened?: boolean;
  /** `false`: at the top, so that a list does not move while a search makes it shorter. */
  readonly centered?: boolean;
}

interface ContentProps {
  readonly children: ReactNode;
  /** Its buttons, below the content and always in sight. */
  readonly foot?: ReactNode;
  /** Makes a form of content and buttons. */
  readonly onSubmit?: SubmitEventHandler<HTMLFormElement>;
}

export function Dialog({ children, foot, onSubmit, ...frame }: FrameProps & ContentProps) {
  return (
    <DialogFrame {...frame}>
      <DialogContent foot={foot} {...(onSubmit && { onSubmit })}>
        {children}
      </DialogContent>
    </DialogFrame>
  );
}

/** For content with a state of its own, which ends with the dialog: a `DialogContent`. */
export function DialogFrame({ title, children, onClose, ...options }: FrameProps) {
  const t = useTexts(commonTexts);
  useFocusReturn(options.opened === undefined);
  return (
    <Modal.Root
      opened
      centered
      size="md"
      {...options}
      onClose={onClose}
      classNames={{ content: classes.dialog ?? '', body: classes.body ?? '' }}
    >
      <Modal.Overlay />
      <Modal.Content>
        {/* To screen readers, Mantine's own header would be a second banner of the page. */}
        <div className={classes.header}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={t.close} size={44} iconSize={20} />
        </div>
        {children}
      </Modal.Content>
    </Modal.Root>
  );
}

/** For a dialog that goes away with its component: Mantine returns the focus of those that it closes itself. */
function useFocusReturn(isMountedOpen: boolean): void {
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    if (!isMountedOpen) return undefined;
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) {
        before.focus({ preventScroll: true });
      }
    };
  }, []);
}

export function DialogContent({ children, foot, onSubmit }: ContentProps) {
  const content = (
    <>
      <ScrollingBody>{children}</ScrollingBody>
      {foot && (
        <Group justify="flex-end" className={classes.foot ?? ''}>
          {foot}
        </Group>
      )}
    </>
  );
  if (!onSubmit) return content;
  return (
    <form className={classes.form} onSubmit={onSubmit}>
      {content}
    </form>
  );
}

/** What the keyboard reaches. */
const TAB_STOP = 'a[href], button, input, select, summary, textarea, [tabindex="0"]';

/** The keyboard scrolls it from a field or a button in it; without any, it is a tab stop itself. */
function ScrollingBody({ children }: { readonly children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  const [isTabStop, setTabStop] = useState(false);
  useEffect(() => {
    const { current } = content;
    const body = current?.parentElement;
    if (!current || !body) return undefined;
    const observer = new ResizeObserver(() => {
      const isLonger = body.scrollHeight > body.clientHeight;
      setScrolls(isLonger);
      setTabStop(isLonger && current.querySelector(TAB_STOP) === null);
    });
    observer.observe(body);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <Modal.Body data-scrolls={scrolls || undefined} {...(isTabStop && { tabIndex: 0 })}>
      <div ref={content}>{children}</div>
    </Modal.Body>
  );
}
