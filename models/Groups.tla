------------------------------- MODULE Groups -------------------------------
\* Groups that take turns: which of them a claim looks at, what it takes, and how many tasks of a group are in flight.
\* That no task gets lost on its way, and whose lease ends, is in Core.tla and Takeover.tla.
\*
\* Time is in ticks, and all times are counted from now. A task is a group and a number. What the keys of a queue say of
\* groups is in `books', which steps change one after the other as a script does.
\*
\* Not modelled: tasks without a group, which take one turn together; priorities; the bound of a claim by bytes; when
\* single consumers look again: they are woken together, so `told' is of all; a limit that instances do not agree on; permits
\* of a rate that are saved up.
\*
\* "code:" names what a step stands for: a method or a script. A test reads these lines.
EXTENDS Naturals, FiniteSets, Sequences, TLC

CONSTANTS
  Groups,
  Size,       \* how many tasks a group has at most
  Consumers,
  Limit,      \* how many tasks of a group may be in flight
  Limited,    \* whether there is a limit
  Ordered,    \* whether a task that failed comes before all others of its group; then the limit is 1
  Rate,       \* how many ticks after a task of a group the next may be taken, 0 for any time
  Room,       \* how many tasks a claim takes at most
  Spare,      \* how many groups it looks at beyond that
  Later,      \* how far away a due time is at most
  Deaths,     \* how many consumers die
  Pauses,     \* how many times a group is paused
  Strangers,  \* how many deliveries are ended by one that does not know of groups
  Broken      \* the guard that is broken; "nothing" is the code as it is

VARIABLES
  open,       \* tasks that have been scheduled and not been ended
  index,      \* tasks that wait
  due,        \* when
  lease,      \* "none", "held", or "over" if it has run out
  holder,     \* whose it is
  books,      \* slot of a group, 0 if it has none; of a slot: what it waits `for' (turn, time, end, nothing, resume, group), and `when'
              \* that is or is looked for; the line of slots; slot of a task in flight, 0 if it is not counted
  full,       \* whether who ends a delivery is to wake the consumers
  told,       \* when the consumers look at the latest
  deaths, strangers,
  paused,     \* which groups are paused `now', and how many pauses there were
  failed,     \* tasks of an ordered queue that failed, and wait
  permit,     \* when the next task of a group may be taken: as `noted', and as it `is'
  waited,     \* how many claims have got nothing of a group that could have been served
  wrong

tasks == <<open, index, due, lease, holder>>
limits == <<failed, permit>>
vars == <<tasks, books, full, told, deaths, strangers, paused, waited, wrong, limits>>

Is(guard) == Broken = guard
Tasks == Groups \X (1..Size)
Slots == 1..Cardinality(Groups)
Never == Later + 2
Recheck == 1
Nobody == "nobody"
Group(t) == t[1]
Min(m, n) == IF m < n THEN m ELSE n
Least(S) == CHOOSE n \in S : \A m \in S : n <= m
Max(S) == CHOOSE n \in S : \A m \in S : n >= m
Sooner(n) == IF n = Never \/ n = 0 THEN n ELSE n - 1
Of(g) == {t \in Tasks : Group(t) = g}
InFlight == {t \in Tasks : lease[t] /= "none"}
HasRoom(g) == Limited => Cardinality(Of(g) \cap InFlight) < Limit
CanTake(g) == /\ HasRoom(g) /\ g \notin paused.now /\ permit.is[g] = 0
              /\ \A t \in failed : Group(t) = g => due[t] = 0
Set(seq) == {seq[i] : i \in DOMAIN seq}
Sorted[S \in SUBSET Slots] == IF S = {} THEN <<>> ELSE <<Least(S)>> \o Sorted[S \ {Least(S)}]

Init ==
  /\ open = {} /\ index = {} /\ due = [t \in Tasks |-> 0]
  /\ lease = [t \in Tasks |-> "none"] /\ holder = [t \in Tasks |-> Nobody]
  /\ books = [slot |-> [g \in Groups |-> 0], for |-> [s \in Slots |-> "group"], when |-> [s \in Slots |-> Never],
              line |-> <<>>, running |-> [t \in Tasks |-> 0]]
  /\ full = FALSE /\ told = Never /\ deaths = 0 /\ strangers = 0 /\ paused = [now |-> {}, count |-> 0]
  /\ waited = [g \in Groups |-> 0] /\ wrong = "nothing"
  /\ failed = {} /\ permit = [noted |-> [g \in Groups |-> 0], is |-> [g \in Groups |-> 0]]

-----------------------------------------------------------------------------
\* What scripts do with the books

Waits(b, s, for, when) == [b EXCEPT !.for[s] = for, !.when[s] = when]

GroupOf(b, s) == CHOOSE g \in Groups : b.slot[g] = s

Free(b, s) == [Waits(b, s, "group", Never) EXCEPT !.slot[GroupOf(b, s)] = 0]

\* when the first group is to be looked at, but for those that are full
FirstTurn(b) ==
  IF b.line /= <<>> THEN 0
  ELSE Least({Never} \cup {b.when[s] : s \in {s \in Slots : b.for[s] = "time"}})

Put(b, t, at) ==
  LET known == b.slot[Group(t)]
      s == IF known /= 0 THEN known ELSE Least({s \in Slots : b.for[s] = "group"})
      c == [b EXCEPT !.slot[Group(t)] = s]
      sooner == \/ b.for[s] \in {"group", "nothing"}
                \/ b.for[s] = "resume" /\ Is("a task that is due does not end a pause")
                \/ b.for[s] = "time" /\ at < b.when[s] /\ ~Is("a task that is due sooner lets its group look sooner")
  IN IF sooner THEN Waits(c, s, "time", at) ELSE c

EndLease(b, t) ==
  LET s == b.running[t]
      c == [b EXCEPT !.running[t] = 0]
  IN IF s = 0 THEN b
     ELSE IF b.for[s] = "nothing" /\ \A u \in Tasks : c.running[u] /= s THEN Free(c, s)
     ELSE IF b.for[s] = "end" /\ ~Is("who ends a delivery gives the full group its turn") THEN Waits(c, s, "time", 0)
     ELSE c

-----------------------------------------------------------------------------
\* Those who schedule

\* The id is new, or one of a task that waits, which is moved
\* code: schedule.lua, schedule_new.lua, reschedule.lua, scheduled.lua
Schedule(t, at) ==
  LET wakes == \/ \A s \in Slots : s \notin Set(books.line) /\ (books.for[s] = "time" => books.when[s] > at)
               \/ FirstTurn(books) > at
  IN
  /\ lease[t] = "none"
  /\ open' = open \cup {t} /\ index' = index \cup {t} /\ due' = [due EXCEPT ![t] = at]
  /\ books' = Put(IF t \in failed THEN EndLease(books, t) ELSE books, t, at)
  /\ told' = IF full /\ t \in failed THEN 0
             ELSE IF wakes /\ ~Is("a task that is due first wakes the consumers") THEN Min(told, at) ELSE told
  /\ full' = (full /\ t \notin failed) /\ failed' = failed \ {t}
  /\ UNCHANGED <<lease, holder, deaths, strangers, waited, wrong, paused, permit>>

\* The group stays in the books until a claim looks at it
\* code: cancel.lua
Cancel(t) ==
  /\ t \in index
  /\ open' = open \ {t} /\ index' = index \ {t} /\ due' = [due EXCEPT ![t] = 0]
  /\ books' = IF t \in failed THEN EndLease(books, t) ELSE books
  /\ told' = IF full /\ t \in failed THEN 0 ELSE told
  /\ full' = (full /\ t \notin failed) /\ failed' = failed \ {t}
  /\ UNCHANGED <<lease, holder, deaths, strangers, waited, wrong, paused, permit>>

-----------------------------------------------------------------------------
\* Consumers

\* A lost lease takes a permit, but waits for none
Taken(these) == [noted |-> [g \in Groups |-> IF g \in these THEN Rate ELSE permit.noted[g]],
                 is |-> [g \in Groups |-> IF g \in these THEN Rate ELSE permit.is[g]]]

\* Lost leases come first, one in a claim here: for due tasks there may be no room left. Groups whose time has come get their places
\* code: claim.lua, due_tasks.lua
ClaimLost(c, t) ==
  LET fired == Sorted[{s \in Slots : books.for[s] = "time" /\ books.when[s] = 0}]
      b == [books EXCEPT !.for = [s \in Slots |-> IF s \in Set(fired) THEN "turn" ELSE books.for[s]],
                         !.line = books.line \o fired]
  IN
  /\ lease[t] = "over"
  /\ lease' = [lease EXCEPT ![t] = "held"] /\ holder' = [holder EXCEPT ![t] = c]
  /\ books' = IF Is("a lost lease keeps its place") THEN [b EXCEPT !.running[t] = 0] ELSE b
  /\ told' = 0
  /\ full' = (full \/ \E s \in Slots : books.for[s] = "end")
  /\ permit' = Taken({Group(t)})
  /\ UNCHANGED <<open, index, due, deaths, strangers, waited, wrong, paused, failed>>

\* What a claim gets from a slot, when it is to be looked at again, and what of the books it found wrong
LookAt(b, s, share) ==
  LET g == GroupOf(b, s)
      counted == {t \in Tasks : b.running[t] = s}
      again == {t \in counted : Ordered /\ t \in index}
      strays == IF Limited /\ Cardinality(counted) >= Limit THEN {t \in counted \ again : lease[t] = "none"} ELSE {}
      held == Cardinality(counted) - Cardinality(strays)
      places == IF ~Limited THEN Size ELSE IF held < Limit THEN Limit - held ELSE 0
      most == IF Is("a group gets what its limit has left") THEN share ELSE Min(share, places)
      permits == IF Rate = 0 \/ Is("a group waits for its next permit") THEN Size ELSE IF permit.noted[g] = 0 THEN 1 ELSE 0
      ready == {t \in Of(g) \cap index : due[t] = 0}
      got == IF again /= {} THEN IF permits > 0 THEN again \cap ready ELSE {}
             ELSE {t \in ready : Cardinality({u \in ready : u[2] < t[2]}) < Min(most, permits)}
      left == (Of(g) \cap index) \ got
      c == [b EXCEPT !.running = [t \in Tasks |-> IF t \in got /\ Limited THEN s
                                                  ELSE IF t \in strays THEN 0 ELSE b.running[t]]]
      more == \E t \in left : due[t] = 0
      later == {due[t] : t \in {t \in left : due[t] > 0}}
      next == IF again \ got /= {} THEN Waits(c, s, "end", Max({permit.noted[g]} \cup {due[t] : t \in again}))
              ELSE IF again /= {} THEN Waits(c, s, "end", Recheck)
              ELSE IF more /\ Cardinality(got) >= places THEN Waits(c, s, "end", Recheck)
              ELSE IF more /\ Cardinality(got) >= permits THEN Waits(c, s, "time", IF got = {} THEN permit.noted[g] ELSE Rate)
              ELSE IF more /\ ~Is("a group that has more goes to the line") THEN Waits(c, s, "turn", Never)
              ELSE IF later /= {} THEN Waits(c, s, "time", Least(later))
              ELSE IF held + Cardinality(got) > 0 /\ Limited /\ ~Is("a group in flight keeps its slot") THEN Waits(c, s, "nothing", Never)
              ELSE Free(c, s)
  IN [books |-> next, got |-> got]

\* turn after turn while there is room: the books, what was taken, and which slots go on in the line
RECURSIVE Serve(_, _, _, _, _)
Serve(b, turns, room, got, looked) ==
  IF turns = <<>> \/ room = 0 THEN [books |-> b, got |-> got, looked |-> looked]
  ELSE LET share == (room + Len(turns) - 1) \div Len(turns)
           look == LookAt(b, Head(turns), share)
       IN Serve(look.books, Tail(turns), room - Cardinality(look.got), got \cup look.got, Append(looked, Head(turns)))

\* code: claim.lua, due_tasks.lua, heads.lua
ClaimDue(c, room) ==
  LET rechecked == {s \in Slots : /\ books.for[s] = "end" /\ books.when[s] = 0
                                  /\ ~Is("a group that is full for long is looked at")}
      fired == Sorted[{s \in Slots : books.for[s] = "time" /\ books.when[s] = 0}] \o Sorted[rechecked]
      all == IF Is("who has just become due comes behind who waits") THEN fired \o books.line ELSE books.line \o fired
      turns == SubSeq(all, 1, Min(Len(all), room + Spare))
      served == Serve(books, turns, room, {}, <<>>)
      b == served.books
      goes(s) == s \in Set(served.looked) /\ b.for[s] = "turn"
      stays(s) == s \notin Set(served.looked)
      unseen == SelectSeq(fired, stays)
      again == SelectSeq(served.looked, goes)
      rest == SelectSeq(books.line, stays)
      line == IF Is("who was served goes to the end of the line") THEN again \o rest \o unseen
              ELSE IF Is("who has become due gets its place") THEN rest \o again
              ELSE rest \o unseen \o again
      for == [s \in Slots |-> IF s \in Set(line) THEN "turn" ELSE b.for[s]]
      next == [b EXCEPT !.line = line, !.for = for, !.when = [s \in Slots |-> IF for[s] = "turn" THEN Never ELSE b.when[s]]]
      rechecks == {books.when[s] : s \in {s \in Slots : books.for[s] = "end" /\ rechecked = {}}}
                  \cup {next.when[s] : s \in {s \in Slots : next.for[s] = "end" /\ Ordered}}
      groups == {Group(t) : t \in served.got}
      before(u, t) == IF Group(u) = Group(t) THEN u[2] < t[2] ELSE books.slot[Group(u)] < books.slot[Group(t)]
      could == {g \in Groups : /\ \E t \in Of(g) \cap index : due[t] = 0
                               /\ CanTake(g)
                               /\ books.slot[g] /= 0
                               /\ books.for[books.slot[g]] /= "end" \/ books.when[books.slot[g]] = 0}
  IN
  /\ \A t \in Tasks : lease[t] /= "over"
  /\ index' = IF Is("what is taken leaves its place")
              THEN {t \in index : Cardinality({u \in index : before(u, t)}) >= Cardinality(served.got)}
              ELSE index \ served.got
  /\ lease' = [t \in Tasks |-> IF t \in served.got THEN "held" ELSE lease[t]]
  /\ holder' = [t \in Tasks |-> IF t \in served.got THEN c ELSE holder[t]]
  /\ books' = next
  /\ permit' = [Taken(groups) EXCEPT !.noted = [g \in Groups |->
       IF next.slot[g] = 0 /\ Is("a permit is of a name, not of a slot") THEN 0 ELSE Taken(groups).noted[g]]]
  /\ failed' = failed \ served.got
  /\ full' = (full \/ \E s \in Slots : next.for[s] = "end")
  /\ told' = Least({FirstTurn(next)} \cup rechecks)
  /\ wrong' = IF \E t \in served.got : lease[t] /= "none" THEN "a task was taken that is in flight"
              ELSE IF \E t \in served.got : Group(t) \in paused.now THEN "a task of a group was taken that is paused"
              ELSE IF \E g \in groups : permit.is[g] > 0 \/ (Rate > 0 /\ Cardinality(Of(g) \cap served.got) > 1)
              THEN "more tasks of a group were taken than its rate allows"
              ELSE IF \E t \in failed \ served.got : Group(t) \in groups THEN "a task was taken before one that failed" ELSE wrong
  /\ waited' = [g \in Groups |-> IF g \notin could \/ served.got \cap Of(g) /= {} THEN 0
                                 ELSE Min(waited[g] + 1, Cardinality(Groups))]
  /\ UNCHANGED <<open, due, deaths, strangers, paused>>

\* It is completed, or dead, or cancelled
\* code: settle.lua, cancel.lua, scheduled.lua
End(t) ==
  /\ lease[t] = "held" /\ holder[t] /= Nobody
  /\ open' = open \ {t}
  /\ lease' = [lease EXCEPT ![t] = "none"] /\ holder' = [holder EXCEPT ![t] = Nobody]
  /\ books' = EndLease(books, t)
  /\ told' = IF full /\ ~Is("who ends a delivery wakes the consumers of a full group") THEN 0 ELSE told
  /\ full' = FALSE
  /\ UNCHANGED <<index, due, deaths, strangers, waited, wrong, paused, limits>>

\* code: settle.lua, scheduled.lua
Retry(t, at) ==
  LET first == FirstTurn(books)
      wakes == at < first /\ first > 0
  IN
  /\ lease[t] = "held" /\ holder[t] /= Nobody
  /\ index' = index \cup {t} /\ due' = [due EXCEPT ![t] = at]
  /\ lease' = [lease EXCEPT ![t] = "none"] /\ holder' = [holder EXCEPT ![t] = Nobody]
  /\ books' = LET b == Put(EndLease(books, t), t, at)
                  keeps == Ordered /\ ~Is("a task that failed keeps its place")
              IN IF keeps THEN [b EXCEPT !.running[t] = b.slot[Group(t)]] ELSE b
  /\ failed' = IF Ordered THEN failed \cup {t} ELSE failed
  /\ told' = IF full /\ ~Is("who ends a delivery wakes the consumers of a full group") THEN 0
             ELSE IF wakes THEN Min(told, at) ELSE told
  /\ full' = FALSE
  /\ UNCHANGED <<open, deaths, strangers, waited, wrong, paused, permit>>

-----------------------------------------------------------------------------
\* Those who look after the queue

\* It keeps its slot, also without tasks, but not its place in the line
\* code: pause_group.lua
Pause(g) ==
  LET known == books.slot[g]
      s == IF known /= 0 THEN known ELSE Least({s \in Slots : books.for[s] = "group"})
      others(other) == other /= s
      line == IF Is("a pause takes the group out of the line") THEN books.line ELSE SelectSeq(books.line, others)
  IN
  /\ g \notin paused.now /\ paused.count < Pauses
  /\ paused' = [now |-> paused.now \cup {g}, count |-> paused.count + 1]
  /\ books' = Waits([books EXCEPT !.slot[g] = s, !.line = line], s, "resume", Never)
  /\ waited' = [waited EXCEPT ![g] = 0]
  /\ UNCHANGED <<tasks, full, told, deaths, strangers, wrong, limits>>

\* code: pause_group.lua
Resume(g) ==
  /\ g \in paused.now
  /\ paused' = [paused EXCEPT !.now = paused.now \ {g}]
  /\ books' = Waits(books, books.slot[g], "time", 0)
  /\ told' = IF Is("who resumes a group wakes the consumers") THEN told ELSE 0
  /\ UNCHANGED <<tasks, full, deaths, strangers, waited, wrong, limits>>

-----------------------------------------------------------------------------
\* The world

\* One that does not know that the queue has groups, such as an older instance: the books still count the task
\* code: settle.lua, cancel.lua
EndUnaware(t) ==
  /\ strangers < Strangers /\ strangers' = strangers + 1
  /\ lease[t] /= "none"
  /\ open' = open \ {t}
  /\ lease' = [lease EXCEPT ![t] = "none"] /\ holder' = [holder EXCEPT ![t] = Nobody]
  /\ told' = IF full THEN 0 ELSE told
  /\ full' = FALSE
  /\ UNCHANGED <<index, due, books, deaths, waited, wrong, paused, limits>>

\* Its leases run out, or another instance ends them, and wakes the consumers
\* code: takeover.lua
Die(c) ==
  /\ deaths < Deaths /\ deaths' = deaths + 1
  /\ \E t \in Tasks : holder[t] = c
  /\ lease' = [t \in Tasks |-> IF holder[t] = c THEN "over" ELSE lease[t]]
  /\ holder' = [t \in Tasks |-> IF holder[t] = c THEN Nobody ELSE holder[t]]
  /\ told' = 0
  /\ UNCHANGED <<open, index, due, books, full, strangers, waited, wrong, paused, limits>>

\* code: none
Tick ==
  /\ due' = [t \in Tasks |-> Sooner(due[t])]
  /\ books' = [books EXCEPT !.when = [s \in Slots |-> Sooner(books.when[s])]]
  /\ told' = Sooner(told)
  /\ permit' = [noted |-> [g \in Groups |-> Sooner(permit.noted[g])], is |-> [g \in Groups |-> Sooner(permit.is[g])]]
  /\ UNCHANGED <<open, index, lease, holder, full, deaths, strangers, waited, wrong, paused, failed>>

Next ==
  \/ Tick
  \/ \E t \in Tasks : Cancel(t) \/ End(t) \/ EndUnaware(t)
  \/ \E g \in Groups : Pause(g) \/ Resume(g)
  \/ \E t \in Tasks, at \in 0..Later : Schedule(t, at) \/ Retry(t, at)
  \/ \E c \in Consumers : Die(c) \/ (\E t \in Tasks : ClaimLost(c, t)) \/ \E room \in 1..Room : ClaimDue(c, room)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
\* What is promised

\* A task is in one place, and no task is taken while it is in flight
OnePlace == open = index \cup InFlight /\ index \cap InFlight = {}
NothingWrong == wrong = "nothing"

\* No more of a group are in flight than may be, over all instances, also of those that died
WithinLimit == Limited => \A g \in Groups : Cardinality(Of(g) \cap InFlight) <= Limit

\* No group that could be served waits for longer than the others have their turns
InTurn == \A g \in Groups : waited[g] < Cardinality(Groups)

\* Consumers look as soon as there is something to take; in time where one that does not know of groups made room
Awake ==
  /\ \A t \in Tasks : lease[t] = "over" => told = 0
  /\ \A t \in index : due[t] = 0 /\ CanTake(Group(t)) =>
       \/ told = 0
       \/ strangers > 0 /\ told <= Recheck
  /\ \A t \in index : lease[t] = "none" /\ CanTake(Group(t)) /\ due[t] < Recheck => told <= Recheck

\* The books: who is in flight, and which slots are free
Counted == (Limited /\ strangers = 0) => \A t \in Tasks : books.running[t] = IF lease[t] /= "none" \/ t \in failed THEN books.slot[Group(t)] ELSE 0
Known ==
  /\ \A s \in Slots : (books.for[s] = "group") = (\A g \in Groups : books.slot[g] /= s)
  /\ \A s \in Slots : (books.for[s] = "turn") = (s \in Set(books.line))
  /\ \A t \in index : books.slot[Group(t)] /= 0

Symmetry == Permutations(Consumers) \cup Permutations(Groups)
=============================================================================
