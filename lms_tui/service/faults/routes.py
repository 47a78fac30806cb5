"""Routes to control fault injection, for administrators."""

from datetime import datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, FastAPI
from pydantic import BaseModel, Field
from starlette.types import ASGIApp

from lms_tui.service.core.errors import Invalid
from lms_tui.service.core.roles import admin_of
from lms_tui.service.faults.fault_injector import FaultInjector
from lms_tui.service.faults.faults import FaultError
from lms_tui.service.faults.switch import CONTROL, FaultSwitch


class FaultBody(BaseModel):
    fault: Annotated[str, Field(max_length=300)]


class ClockBody(BaseModel):
    """`advance`: seconds."""

    advance: Annotated[float, Field(allow_inf_nan=False)]


class FaultRow(BaseModel):
    """`active`: the fault is in its time. `hits`: how many requests it has hit."""

    fault: str
    active: bool
    hits: int


class FaultList(BaseModel):
    faults: list[str]
    rows: list[FaultRow]


class ClockReading(BaseModel):
    now: datetime


class ReportReading(BaseModel):
    """`delays`: the seconds after which each failed request came again."""

    requests: int
    faults: dict[str, int]
    answers_offered: int
    questions_answered: int
    answers_kept: int
    sent_again: int
    never_sent_again: int
    delays: list[float]


def install(app: ASGIApp, routes: FastAPI, injector: FaultInjector) -> ASGIApp:
    """Add the control routes to those of the application, and return it wrapped in a `FaultSwitch`."""
    routes.include_router(_routes(injector))
    return FaultSwitch(app, injector)


def _routes(injector: FaultInjector) -> APIRouter:
    router = APIRouter(prefix=CONTROL.rstrip("/"), dependencies=[Depends(admin_of)], include_in_schema=False)

    def listed() -> FaultList:
        active = injector.active
        rows = [FaultRow(fault=one.text, active=one in active, hits=injector.hits(one)) for one in injector.faults]
        return FaultList(faults=[row.fault for row in rows], rows=rows)

    @router.get("/faults/")
    def list_faults() -> FaultList:
        return listed()

    @router.post("/faults/", status_code=HTTPStatus.CREATED)
    def add_fault(body: FaultBody) -> FaultList:
        try:
            injector.add(body.fault)
        except FaultError as error:
            raise Invalid({"fault": [f"{error} {error.advice}"]}) from error
        return listed()

    @router.delete("/faults/")
    def clear_faults() -> FaultList:
        injector.clear()
        return listed()

    @router.get("/clock/")
    def read_clock() -> ClockReading:
        return ClockReading(now=injector.clock())

    @router.post("/clock/")
    def advance_clock(body: ClockBody) -> ClockReading:
        try:
            return ClockReading(now=injector.clock.advance(body.advance))
        except FaultError as error:
            raise Invalid({"advance": [f"{error} {error.advice}"]}) from error

    @router.get("/report/")
    def read_report() -> ReportReading:
        return _reading(injector)

    return router


def _reading(injector: FaultInjector) -> ReportReading:
    report = injector.report()
    return ReportReading(
        requests=report.requests,
        faults=dict(report.faults),
        answers_offered=report.offered,
        questions_answered=report.questions,
        answers_kept=report.kept,
        sent_again=len(report.delays),
        never_sent_again=report.failed,
        delays=[round(delay, 3) for delay in report.delays],
    )
